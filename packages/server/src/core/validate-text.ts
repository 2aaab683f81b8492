import { isHttpUrl, isSafeSvg } from '@lyceum/content'
import { ApiError, invalidField } from './errors.ts'

/** Maximum size of a free object as JSON. */
const FREE_BYTES = 16_000

/** @throws invalid_url with the field, unless it is empty or an http(s) URL */
export const checkAddress = (value: string | null | undefined, field: string): void => {
  if (value && !isHttpUrl(value)) throw new ApiError('invalid_url', { data: { field } })
}

/** @throws invalid_data, unless it is empty or an SVG without active content */
export const checkDrawing = (value: string | undefined, field: string): void => {
  if (value && !isSafeSvg(value)) throw invalidField(field, 'must be an SVG of basic shapes')
}

/** @throws invalid_data if a free object is too large */
export const checkFree = (value: object | null | undefined, field: string): void => {
  if (value && Buffer.byteLength(JSON.stringify(value)) > FREE_BYTES) throw invalidField(field, `must have at most ${FREE_BYTES} bytes`)
}

/** A single-line title. @throws invalid_data if it is empty */
export const cleanTitle = (title: string): string => {
  const clean = title.replace(/\s+/g, ' ').trim()
  if (!clean) throw invalidField('title', 'must not be empty')
  return clean
}
