import type { EventPosition } from '../db/index.ts'

/** A position in the sequence of events, and its time. */
export interface Cursor {
  readonly position: EventPosition
  /** Seconds since 1970. */
  readonly at: number
}

const FORM = /^([0-9a-z]{1,11})-([0-9a-z]{1,11})-([0-9a-z]{1,8})$/

/** The id of an event for clients. It is opaque, and each ping updates it so that quiet streams can be resumed, too. */
export const writeCursor = ([major, minor]: EventPosition, at: number): string =>
  [major, minor, at].map((part) => part.toString(36)).join('-')

/** Undefined if the text is not a cursor. */
export const readCursor = (text: string): Cursor | undefined => {
  const parts =
    FORM.exec(text)
      ?.slice(1)
      .map((part) => Number.parseInt(part, 36)) ?? []
  const [major, minor, at] = parts
  if (major === undefined || minor === undefined || at === undefined || !parts.every(Number.isSafeInteger)) return undefined
  return { position: [major, minor], at }
}
