import { decodeBasic } from '../html-allowlist.ts'

const BREAKS =
  /<\/?(?:p|div|br|hr|li|ul|ol|h[1-6]|blockquote|pre|table|thead|tbody|tr|td|th|section|article|details|summary|dl|dt|dd|figure|figcaption|img)\b[^<>]*>/g
/** Cells of one row are separated by a tab. */
const CELLS = /<\/t[dh]>\s*<t[dh]\b[^<>]*>/g
const TAGS = /<[^<>]*>/g

/**
 * The visible text of stored HTML, which this server has rendered: special characters in attributes are entities. A word with markup inside
 * stays one word.
 */
export const visibleText = (html: string): string => decodeBasic(html.replace(CELLS, '\t').replace(BREAKS, '\n').replace(TAGS, ''))

const ALT_AND_TITLE = /\s(?:alt|title)="([^"]*)"/g

/** The `alt` and `title` texts of stored HTML. */
export const altTexts = (html: string): string[] => Array.from(html.matchAll(ALT_AND_TITLE), ([, text = '']) => decodeBasic(text))

export const textsIn = (value: unknown): string[] => {
  if (typeof value === 'string') return value === '' ? [] : [value]
  return value !== null && typeof value === 'object' ? Object.values(value).flatMap(textsIn) : []
}

const URL_FIELDS = new Set(['url', 'image', 'media_images'])
const ADDRESS = /^https?:\/\/\S+$/i

/** Like `textsIn`, without URLs of images and pages. */
export const wordsIn = (value: unknown, name = ''): string[] => {
  if (typeof value === 'string') return value === '' || (URL_FIELDS.has(name) && ADDRESS.test(value)) ? [] : [value]
  if (Array.isArray(value)) return value.flatMap((item) => wordsIn(item, name))
  return value !== null && typeof value === 'object' ? Object.entries(value).flatMap(([key, item]) => wordsIn(item, key)) : []
}
