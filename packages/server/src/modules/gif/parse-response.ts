import { excerpt, isHttpUrl, plainText } from '@lyceum/content'
import { type api, GIF_RATINGS, GIF_VARIANTS, type Gif, type Infer, type ResponseOf } from '@lyceum/contract'
import { normalizeDatetime } from '../../core/clock.ts'

export type GifPage = ResponseOf<typeof api.gif.search>
type GifView = Infer<typeof Gif>
type Variant = GifView['images']['original']
type Fields = Readonly<Record<string, unknown>>

export interface GifQuery {
  readonly limit: number
  readonly offset: number
  readonly rating: GifView['rating']
}

/** Ids of GIFs; excludes characters with a meaning in HTML. */
const ID = /^[\p{L}\p{N}_.:=+~/-]{1,300}$/u
const TEXT_LENGTH = 200
/** The provider's names of a variant, best first: its preview may be a video, with the image under another name. */
const VARIANT_SOURCES: Partial<Record<(typeof GIF_VARIANTS)[number], readonly string[]>> = { preview: ['preview', 'preview_gif'] }

const fieldsOf = (value: unknown): Fields => (typeof value === 'object' && value !== null ? (value as Fields) : {})

/** Accepts a whole number as text, too. */
const numberOf = (value: unknown): number | null => {
  if (typeof value !== 'number' && (typeof value !== 'string' || value.trim() === '')) return null
  const number = Math.round(Number(value))
  return Number.isSafeInteger(number) && number >= 0 ? number : null
}

const textOf = (value: unknown): string =>
  typeof value === 'string' ? excerpt(plainText(value.slice(0, 20 * TEXT_LENGTH)), TEXT_LENGTH) : ''

const isMedia = (value: unknown): value is string => isHttpUrl(value) && value.startsWith('https://')

const variantOf = (value: unknown): Variant | null => {
  const { url, width, height, size } = fieldsOf(value)
  const [w, h, bytes] = [numberOf(width), numberOf(height), numberOf(size)]
  return isMedia(url) && w !== null && h !== null ? { url, width: w, height: h, ...(bytes !== null && { size: bytes }) } : null
}

const imagesOf = (value: unknown): GifView['images'] | null => {
  const given = fieldsOf(value)
  const found = Object.fromEntries(
    GIF_VARIANTS.flatMap((name) => {
      const variant = (VARIANT_SOURCES[name] ?? [name]).map((source) => variantOf(given[source])).find((one) => one !== null)
      return variant ? [[name, variant]] : []
    }),
  )
  const { original, ...others } = found
  return original ? { original, ...others } : null
}

/** One GIF; null if it cannot be shown safely. Passes on nothing but https URLs, numbers and plain text. */
const gifOf = (value: unknown, asked: GifQuery): GifView | null => {
  const { id, title, url, images, rating, trending_datetime } = fieldsOf(value)
  const shown = imagesOf(images)
  if ((typeof id !== 'string' && typeof id !== 'number') || !ID.test(String(id)) || !isMedia(url) || !shown) return null
  return {
    id: String(id),
    title: textOf(title),
    url,
    images: shown,
    rating: GIF_RATINGS.find((known) => known === String(rating).toLowerCase()) ?? asked.rating,
    trending_datetime: typeof trending_datetime === 'string' ? normalizeDatetime(trending_datetime) : null,
  }
}

/** Takes a long time to parse, and no response has it. */
const NESTED_LISTS = '['.repeat(100)

/** The provider's JSON response; empty if it is not valid JSON. */
export const parseResponse = (text: string): Fields => {
  if (text.includes(NESTED_LISTS)) return {}
  try {
    return fieldsOf(JSON.parse(text))
  } catch {
    return {}
  }
}

/** Converts the provider's response to ours; null if it is malformed. */
export const readPage = (answer: Fields, asked: GifQuery): GifPage | null => {
  if (!Array.isArray(answer['data'])) return null
  const data = answer['data'].slice(0, asked.limit).flatMap((item) => gifOf(item, asked) ?? [])
  const [pagination, meta] = [fieldsOf(answer['pagination']), fieldsOf(answer['meta'])]
  return {
    data,
    pagination: {
      total_count: numberOf(pagination['total_count']) ?? asked.offset + data.length,
      count: data.length,
      offset: numberOf(pagination['offset']) ?? asked.offset,
    },
    meta: { status: numberOf(meta['status']) ?? 200, msg: textOf(meta['msg']) || 'OK', response_id: textOf(meta['response_id']) },
  }
}

/** The status inside the response, for providers that always respond with HTTP 200. */
export const statusIn = (answer: Fields): number | null => numberOf(fieldsOf(answer['meta'])['status'])
