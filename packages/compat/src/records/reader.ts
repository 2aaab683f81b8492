import type { Fields } from '../operations.ts'

/** Request context for adapting a response. */
export interface Reader {
  readonly origin: string
  /** Request URL without its query. */
  readonly path: string
  readonly query: Fields
  /** Complete summaries of the people in the response, by user id. */
  readonly people: ReadonlyMap<unknown, Fields>
}

export type Change = (record: Fields, reader: Reader) => Fields

export const escaped = (text: string) => text.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`)
