import { decodeBasic } from '../../content/html-allowlist.ts'

const BREAKS =
  /<\/?(?:p|div|br|hr|li|ul|ol|h[1-6]|blockquote|pre|table|thead|tbody|tr|td|th|section|article|details|summary|dl|dt|dd|figure|figcaption|img)\b[^<>]*>/g
/** Cells of one row stand beside each other. */
const CELLS = /<\/t[dh]>\s*<t[dh]\b[^<>]*>/g
const TAGS = /<[^<>]*>/g

/** What is read of stored HTML, which is ours: signs in attributes are written as entities. A word with markup inside stays one word. */
export const visibleText = (html: string): string => decodeBasic(html.replace(CELLS, '\t').replace(BREAKS, '\n').replace(TAGS, ''))

const SPOKEN = /\s(?:alt|title)="([^"]*)"/g

/** What stored HTML says of its pictures and links: read aloud, shown under the pointer, or in place of a picture. */
export const spokenTexts = (html: string): string[] => Array.from(html.matchAll(SPOKEN), ([, text = '']) => decodeBasic(text))

/** Every text in a value, however deep. */
export const textsIn = (value: unknown): string[] => {
  if (typeof value === 'string') return value === '' ? [] : [value]
  return value !== null && typeof value === 'object' ? Object.values(value).flatMap(textsIn) : []
}

const ADDRESSES = new Set(['url', 'image', 'media_images'])
const ADDRESS = /^https?:\/\/\S+$/i

/** The same without what only leads somewhere: the addresses of pictures and pages. */
export const wordsIn = (value: unknown, name = ''): string[] => {
  if (typeof value === 'string') return value === '' || (ADDRESSES.has(name) && ADDRESS.test(value)) ? [] : [value]
  if (Array.isArray(value)) return value.flatMap((item) => wordsIn(item, name))
  return value !== null && typeof value === 'object' ? Object.entries(value).flatMap(([key, item]) => wordsIn(item, key)) : []
}
