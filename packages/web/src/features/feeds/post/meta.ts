/** The parts of a feed's `meta` that the app uses. API clients can write anything into it, so all fields are validated. */
type Plain = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Plain => typeof value === 'object' && value !== null && !Array.isArray(value)
const text = (value: unknown): string => (typeof value === 'string' ? value : '')
const number = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined)

export interface SurveyView {
  readonly question: string
  readonly options: readonly {
    readonly slug: string
    readonly label: string
    readonly votes: number | null
    readonly percentage: number | null
  }[]
  readonly allow_multiple: boolean
  readonly show_results: string
  readonly end_date?: string
  readonly total_votes: number | null
  readonly voted: readonly string[]
  readonly is_closed: boolean
}

export const surveyOf = (meta: Plain): SurveyView | null => (isObject(meta['survey']) ? (meta['survey'] as unknown as SurveyView) : null)

export interface MediaItem {
  readonly url: string
  readonly type: string
  readonly alt: string
  readonly id?: number | undefined
  readonly width?: number | undefined
  readonly height?: number | undefined
}

const toItem = (value: unknown): readonly MediaItem[] => {
  const item = typeof value === 'string' ? { url: value } : value
  if (!isObject(item) || text(item['url']) === '') return []
  const { url, type, alt, title, id, width, height } = item
  return [{ url: text(url), type: text(type), alt: text(alt) || text(title), id: number(id), width: number(width), height: number(height) }]
}

/** Attached images, videos and audio files. */
export const mediaOf = (meta: Plain): readonly MediaItem[] =>
  [meta['media_items'], meta['media_images']].flatMap((list) => (Array.isArray(list) ? list.flatMap(toItem) : []))

export interface GifView {
  readonly url: string
  readonly title: string
  readonly width?: number | undefined
  readonly height?: number | undefined
}

export const gifOf = (meta: Plain): GifView | null => {
  const gif = meta['gif']
  return isObject(gif) && text(gif['url'])
    ? { url: text(gif['url']), title: text(gif['title']), width: number(gif['width']), height: number(gif['height']) }
    : null
}

export interface PreviewView {
  readonly url: string
  readonly title: string
  readonly description: string
}

export const previewOf = (meta: Plain): PreviewView | null => {
  const preview = meta['preview']
  if (!isObject(preview) || !text(preview['url'])) return null
  return { url: text(preview['url']), title: text(preview['title']), description: text(preview['description']) }
}
