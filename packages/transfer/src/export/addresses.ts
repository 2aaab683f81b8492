import { ARCHIVE_ORIGIN } from '@lyceum/contract/archive'
import { type Db, statementIn } from '../../../server/src/db/index.ts'
import { keysIn } from '../../../server/src/modules/media/index.ts'
import { addressOf } from '../../../server/src/modules/redirects/index.ts'
import type { ArchiveIds } from './archive-ids.ts'
import type { ExportContext } from './context.ts'
import { filled } from './filled.ts'

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** Comment links, which contain the comment id. */
const COMMENT_LINK = /([?&]comment_id=)([1-9]\d{0,14})(?![\w-])/g

/**
 * Replaces the community's origin in the JSON of records with a placeholder, and comment ids in links with their ids in the
 * archive. Copies of the community at other URLs then have identical texts.
 */
export const createNeutralizer = (origin: string, ids: ArchiveIds) => {
  // Does not match longer host names or other ports.
  const own = new RegExp(`${escaped(origin)}(?![\\w@-]|[.:][\\w-])`, 'gi')
  return async <T extends object>(records: readonly T[]): Promise<T[]> => {
    const texts = records.map((record) => JSON.stringify(record))
    const named = texts.flatMap((text) => [...text.matchAll(COMMENT_LINK)].map((match) => Number(match[2])))
    const known = named.length > 0 ? await ids({ comments: named }) : null
    return records.map((record, i) => {
      const text = texts[i] as string
      const moved = text.replace(own, ARCHIVE_ORIGIN)
      const neutral = known ? moved.replace(COMMENT_LINK, (_, before, id) => before + known.of('comments', Number(id))) : moved
      return neutral === text ? record : (JSON.parse(neutral) as T)
    })
  }
}

type Target = 'user_id' | 'space_id' | 'feed_id' | 'comment_id' | 'topic_id' | 'course_id' | 'lesson_id' | 'media_id'

const redirectsTo = (column: Target) =>
  statementIn<{ id: number; path: string }>((list) => `select ${column} as id, path from redirects where ${column} in (${list})`)
const REDIRECTS: Readonly<Record<Target, ReturnType<typeof redirectsTo>>> = {
  user_id: redirectsTo('user_id'),
  space_id: redirectsTo('space_id'),
  feed_id: redirectsTo('feed_id'),
  comment_id: redirectsTo('comment_id'),
  topic_id: redirectsTo('topic_id'),
  course_id: redirectsTo('course_id'),
  lesson_id: redirectsTo('lesson_id'),
  media_id: redirectsTo('media_id'),
}

/** The URLs of rows: current ones, and former ones from imports. */
export const addressesOf = async (db: Db, column: Target, ids: readonly number[]) => {
  const former = new Map<number, string[]>()
  for (const { id, path } of await REDIRECTS[column](db, ids)) former.set(id, [...(former.get(id) ?? []), path])
  return (id: number, ...own: readonly string[]): string[] => {
    // Former paths are stored decoded.
    const known = new Set(own.map(decodeURIComponent))
    return [
      ...own,
      ...(former.get(id) ?? [])
        .filter((path) => !known.has(path))
        .sort()
        .map(addressOf),
    ]
  }
}

const activeMedia = statementIn<{ id: number; key: string }>(
  (list) => `select id, key from media where status = 'active' and key in (${list})`,
)

/** Media records by the file URLs in texts. */
export interface MediaIndex {
  /** The media id of a file URL; undefined for other URLs. */
  readonly idOf: (url: unknown) => string | undefined
  /** Record fields for a picture: a media id, or the URL of an external image. */
  readonly picture: <N extends string>(name: N, url: string | null) => Partial<Record<N | `${N}_url`, string>>
}

export const mediaIn = async ({ db, ids }: ExportContext, texts: readonly (string | null)[]): Promise<MediaIndex> => {
  const rows = await activeMedia(db, keysIn(texts))
  const records = await ids({ media: rows.map(({ id }) => id) })
  const byKey = new Map(rows.map(({ id, key }) => [key, records.of('media', id)]))
  const idOf: MediaIndex['idOf'] = (url) => (typeof url === 'string' ? byKey.get(keysIn([url])[0] ?? '') : undefined)
  return {
    idOf,
    picture: <N extends string>(name: N, url: string | null) => {
      const id = idOf(url)
      const field = id === undefined ? { [`${name}_url`]: url && keysIn([url]).length === 0 ? url : undefined } : { [name]: id }
      return filled(field) as Partial<Record<N | `${N}_url`, string>>
    },
  }
}
