import { isHttpUrl } from '@lyceum/content'
import { ApiError } from '../../../../server/src/core/errors.ts'

/** The result of `read`, or undefined if the value breaks a rule of the API. */
export const accepted = <T>(read: () => T): T | undefined => {
  try {
    return read()
  } catch (error) {
    if (error instanceof ApiError) return undefined
    throw error
  }
}

/** A single-line title with at most `most` characters. */
export const titleOf = (text: string | undefined, most: number, fallback = ''): string =>
  [...(text ?? '').replace(/\s+/gu, ' ').trim()].slice(0, most).join('').trim() || fallback

/** Truncates a text to at most `most` bytes. */
export const cutBytes = (text: string, most: number): string => {
  const bytes = Buffer.from(text)
  if (bytes.length <= most) return text
  let end = most
  while (end > 0 && ((bytes[end] as number) & 0xc0) === 0x80) end--
  return bytes.subarray(0, end).toString()
}

/** The URL if it is valid; empty otherwise. */
export const urlOf = (text: string | null | undefined): string => {
  const url = (text ?? '').trim()
  return isHttpUrl(url) ? url : ''
}

/** The earlier of two times. Imported content must not be dated in the future. */
export const notAfter = (now: string, at: string): string => (at > now ? now : at)

export const flag = (value: boolean | undefined): 0 | 1 => (value ? 1 : 0)
