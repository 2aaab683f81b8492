import { jsonFields, textOf } from '../fields.ts'
import type { Staging } from '../staging/staging.ts'
import { uploadsIn } from './uploads.ts'

const PAGE = 500
const SHAPE = {
  columns: { file: 'text', origin: 'text', pid: 'integer', uid: 'integer', is_main: 'integer', time: 'integer' },
} as const
const COLUMNS = Object.keys(SHAPE.columns)

interface Written {
  readonly pid: number
  readonly uid: number
  readonly time: number | null
  readonly is_main: number
  readonly data: string
}

const WRITTEN = `select w.pid, p.uid, w.time, w.is_main, h.data from place w
  join post p on p.pid = w.pid join hash h on h._key = 'post:' || w.pid
  where w.pid > ? order by w.pid limit ${PAGE}`

const TOPIC_LINK = /(https?:\/\/[^/\s"'<>()[\]]+)((?:\/[\w.~-]+)*?)\/topic\/(\d+)\/([^\s"'<>()[\]/?#\\]+)/g
const TOPIC_SLUG = `select json_extract(data, '$.slug') as slug from hash where _key = ? and json_valid(data)`

/** Site data found in texts. The database does not contain the site's URL. */
export interface Findings {
  readonly origins: readonly string[]
  readonly base: string
}

const mostFrequent = (counts: ReadonlyMap<string, number>): string => [...counts].sort((a, b) => b[1] - a[1])[0]?.[0] ?? ''
const count = (counts: Map<string, number>, key: string) => counts.set(key, (counts.get(key) ?? 0) + 1)

/**
 * Reads all texts once: stores the uploaded files that they reference in the table `upload`, and detects the site's origin from
 * links to its topics.
 */
export const scanTexts = (staging: Staging): Findings => {
  const origins = new Map<string, number>()
  const bases = new Map<string, number>()
  const loader = staging.loader('uploads', SHAPE, COLUMNS)
  for (let last = -1; ; ) {
    const page = [...staging.rows<Written>(WRITTEN, last)]
    for (const { pid, uid, time, is_main, data } of page) {
      const text = textOf(jsonFields(data)?.['content'])
      for (const { origin, base, file } of uploadsIn(text)) {
        loader.add([file, origin, pid, uid, is_main, time], `post ${pid}`)
        if (origin === null) count(bases, base)
      }
      for (const [, origin, base, tid, slug] of text.includes('/topic/') ? text.matchAll(TOPIC_LINK) : []) {
        if (staging.get<{ slug: string }>(TOPIC_SLUG, `topic:${tid}`)?.slug !== `${tid}/${slug}`) continue
        count(origins, origin as string)
        count(bases, base as string)
      }
      last = pid
    }
    if (page.length < PAGE) break
  }
  staging.finish()
  staging.define('upload', 'uploads', SHAPE)
  return { origins: [...origins.keys()].sort(), base: mostFrequent(bases) }
}
