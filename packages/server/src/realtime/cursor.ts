import type { EventPosition } from '../db/index.ts'

/** Where somebody stood in the row of events, and when that was. */
export interface Cursor {
  readonly position: EventPosition
  /** Seconds since 1970. */
  readonly at: number
}

const FORM = /^([0-9a-z]{1,11})-([0-9a-z]{1,11})-([0-9a-z]{1,8})$/

/** The id of an event: opaque to clients, and changed by every ping so that a quiet stream can be resumed as well. */
export const writeCursor = ([major, minor]: EventPosition, at: number): string =>
  [major, minor, at].map((part) => part.toString(36)).join('-')

/** Undefined for what is none of ours. */
export const readCursor = (text: string): Cursor | undefined => {
  const parts =
    FORM.exec(text)
      ?.slice(1)
      .map((part) => Number.parseInt(part, 36)) ?? []
  const [major, minor, at] = parts
  if (major === undefined || minor === undefined || at === undefined || !parts.every(Number.isSafeInteger)) return undefined
  return { position: [major, minor], at }
}
