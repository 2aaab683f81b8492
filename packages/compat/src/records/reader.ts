import type { Fields } from '../operations.ts'

/** For whom and where an answer is adapted. */
export interface Reader {
  readonly origin: string
  /** Address of the request without its query. */
  readonly path: string
  readonly query: Fields
  /** Complete summaries of the people in the answer, by user id. */
  readonly people: ReadonlyMap<unknown, Fields>
}

export type Change = (record: Fields, reader: Reader) => Fields

export const escaped = (text: string) => text.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`)
