import { isHttpUrl, siteOf } from '@lyceum/content'
import { normalizeDatetime } from '../../core/clock.ts'
import { ApiError, invalidField } from '../../core/errors.ts'

/** The definition of a survey; votes are stored in tables of their own. */
export interface Survey {
  readonly question: string
  readonly options: readonly { readonly slug: string; readonly label: string }[]
  readonly allow_multiple: boolean
  readonly show_results: 'always' | 'after_vote' | 'never'
  readonly end_date?: string
}

export type Meta = Record<string, unknown>

const MAX_BYTES = 16 * 1024
const MAX_DEPTH = 5
const MAX_OPTIONS = 20
const MAX_MEDIA = 20
const SHOW_RESULTS = ['always', 'after_vote', 'never'] as const
const SLUG = /^[a-zA-Z0-9_-]{1,100}$/

const isObject = (value: unknown): value is Meta => value !== null && typeof value === 'object' && !Array.isArray(value)
const isText = (value: unknown, maxLength: number): value is string =>
  typeof value === 'string' && value.trim().length > 0 && value.length <= maxLength

const depth = (value: unknown): number =>
  value !== null && typeof value === 'object' ? 1 + Math.max(0, ...Object.values(value).map(depth)) : 0

const httpUrl = (field: string, value: unknown) => {
  if (!isHttpUrl(value)) throw new ApiError('invalid_url', { message: `${field} must be an http or https URL.`, data: { field } })
}

const readSurvey = (value: unknown): Survey => {
  const refuse = (text: string): never => {
    throw invalidField('meta.survey', text)
  }
  if (!isObject(value)) return refuse('must be an object')
  const { question, options, allow_multiple = false, show_results = 'always', end_date } = value
  if (!isText(question, 500)) return refuse('requires a question of at most 500 characters')
  if (!Array.isArray(options) || options.length < 2 || options.length > MAX_OPTIONS) return refuse(`requires 2 to ${MAX_OPTIONS} options`)
  const list = options.map((option: unknown) => {
    if (!isObject(option) || typeof option['slug'] !== 'string' || !SLUG.test(option['slug']) || !isText(option['label'], 200)) {
      return refuse('options require a slug of letters, digits, _ and - and a label')
    }
    return { slug: option['slug'], label: option['label'] }
  })
  if (new Set(list.map((option) => option.slug)).size !== list.length) refuse('options must have different slugs')
  if (typeof allow_multiple !== 'boolean') refuse('allow_multiple must be true or false')
  const shows = SHOW_RESULTS.find((choice) => choice === show_results) ?? refuse(`show_results must be one of ${SHOW_RESULTS.join(', ')}`)
  const survey = { question, options: list, allow_multiple: allow_multiple === true, show_results: shows }
  if (end_date === undefined || end_date === null || end_date === '') return survey
  const end = typeof end_date === 'string' ? normalizeDatetime(end_date) : null
  return { ...survey, end_date: end ?? refuse('end_date must be a datetime as YYYY-MM-DD HH:MM:SS') }
}

/** Truncates to `maxLength` characters without splitting a surrogate pair. */
const truncate = (text: string, maxLength: number) => [...text.slice(0, maxLength * 2)].slice(0, maxLength).join('')

const readGif = (value: unknown): Meta => {
  if (!isObject(value)) throw invalidField('meta.gif', 'must be an object')
  httpUrl('meta.gif.url', value['url'])
  const { id = '', title, url } = value
  if (typeof id !== 'string' && typeof id !== 'number') throw invalidField('meta.gif.id', 'must be a string')
  const gif: Meta = { id: truncate(String(id), 200), url, ...(typeof title === 'string' && { title: truncate(title, 500) }) }
  for (const name of ['width', 'height'] as const) {
    const size = value[name]
    if (size === undefined) continue
    if (!Number.isInteger(size) || (size as number) < 0 || (size as number) > 100_000)
      throw invalidField(`meta.gif.${name}`, 'must be a size in pixels')
    gif[name] = size
  }
  return gif
}

const readMedia = <T>(field: string, value: unknown, read: (item: unknown) => T): T[] => {
  if (!Array.isArray(value) || value.length > MAX_MEDIA) throw invalidField(field, `must be a list of at most ${MAX_MEDIA} entries`)
  return value.map(read)
}

const readMediaItem = (item: unknown): Meta => {
  const media = typeof item === 'string' ? { url: item } : item
  if (!isObject(media)) throw invalidField('meta.media_items', 'must contain objects with a url')
  httpUrl('meta.media_items.url', media['url'])
  return pickPlainValues(media, ['url', 'type', 'title', 'width', 'height', 'id', 'alt'])
}

/** The URL of an image; sent by other clients. */
const readMediaImage = (item: unknown): unknown => {
  const url = isObject(item) ? item['url'] : item
  httpUrl('meta.media_images', url)
  return url
}

/** Keeps only these keys and only scalar values. HTML from clients is accepted nowhere but in the message. */
const pickPlainValues = (value: Meta, names: readonly string[]): Meta =>
  Object.fromEntries(names.flatMap((name) => (['string', 'number', 'boolean'].includes(typeof value[name]) ? [[name, value[name]]] : [])))

const readPreview = (value: unknown): Meta => {
  if (!isObject(value)) throw invalidField('meta.preview', 'must be an object')
  httpUrl('meta.preview.url', value['url'])
  if (value['image'] !== undefined && value['image'] !== '') httpUrl('meta.preview.image', value['image'])
  const preview = pickPlainValues(value, ['url', 'image', 'title', 'description', 'type', 'provider', 'author_name', 'width', 'height'])
  // The client could name any other site as the provider.
  return 'provider' in preview ? { ...preview, provider: siteOf(String(value['url'])) } : preview
}

const readFlag = (field: string) => (value: unknown) => {
  if (value === true || value === 1 || value === 'yes') return true
  if (value === false || value === 0 || value === 'no') return false
  throw invalidField(field, 'must be true or false')
}

const readIds = (value: unknown): number[] => {
  if (!Array.isArray(value) || value.length > 50 || !value.every((id) => Number.isSafeInteger(id) && id > 0))
    throw invalidField('meta.topic_ids', 'must be a list of ids')
  return [...new Set(value as number[])]
}

const KNOWN = new Map<string, (value: unknown) => unknown>([
  ['survey', readSurvey],
  ['gif', readGif],
  ['media_items', (value) => readMedia('meta.media_items', value, readMediaItem)],
  ['media_images', (value) => readMedia('meta.media_images', value, readMediaImage)],
  ['preview', readPreview],
  ['comments_disabled', readFlag('meta.comments_disabled')],
  ['topic_ids', readIds],
])

/**
 * Merges `given` into `before` by key: null removes a key, known keys are validated, others are stored as plain data. At most 16 KB and 5
 * levels in all.
 * @throws invalid_data, invalid_url
 */
export const mergeMeta = (before: Meta, given: Meta): Meta => {
  const merged: Meta = { ...before }
  for (const [key, value] of Object.entries(given)) {
    const read = KNOWN.get(key)
    if (value === null) delete merged[key]
    else merged[key] = read ? read(value) : value
  }
  if (depth(merged) > MAX_DEPTH) throw invalidField('meta', `must have at most ${MAX_DEPTH} levels of nesting`)
  if (Buffer.byteLength(JSON.stringify(merged)) > MAX_BYTES) throw invalidField('meta', `must have at most ${MAX_BYTES / 1024} KB`)
  return merged
}
