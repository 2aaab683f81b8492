import { Lesson } from '@lyceum/contract'
import fastJsonStringify from 'fast-json-stringify'
import { inPortions } from '../../cache/json-fragments.ts'
import type { ReadContext } from '../../core/context.ts'
import { lazy } from '../../util/lazy.ts'
import { contentsOf, type ListedLesson } from './queries.ts'
import type { LessonView } from './view.ts'

/** Lists with more content than `MAX_UNCHUNKED_BYTES` are read and sent in chunks of at most `CHUNK_BYTES`, or a single lesson. */
const MAX_UNCHUNKED_BYTES = 512 * 1024
const CHUNK_BYTES = 256 * 1024

const serializer = lazy(() => fastJsonStringify(Lesson as object))

interface ListedView {
  readonly view: LessonView
  /** Length of the content in bytes; 0 if it is not shown. */
  readonly bytes: number
}

const withContents = async (db: ReadContext['db'], listed: readonly ListedView[]): Promise<LessonView[]> => {
  const contents = await contentsOf(
    db,
    listed.filter(({ bytes }) => bytes > 0).map(({ view }) => view.id),
  )
  return listed.map(({ view }) => ({ ...view, content: contents.get(view.id) ?? '' }))
}

const chunksOf = (listed: readonly ListedView[]): ListedView[][] => {
  const portions: ListedView[][] = []
  let size = Number.POSITIVE_INFINITY
  for (const one of listed) {
    const bytes = one.bytes + 1024
    if (size + bytes > CHUNK_BYTES) {
      portions.push([])
      size = 0
    }
    portions.at(-1)?.push(one)
    size += bytes
  }
  return portions
}

/**
 * Fills in the contents of listed lessons and streams long lists. The list is inserted at `key` of the response, which has an empty list
 * there. Content that `views` omits stays omitted.
 */
export const withLessons = async <R extends object>(
  { db, services }: Pick<ReadContext, 'db' | 'services'>,
  rows: readonly ListedLesson[],
  views: readonly LessonView[],
  answer: (lessons: LessonView[]) => R,
  key: keyof R & string,
): Promise<R> => {
  const listed = views.map((view, i) => ({ view, bytes: view.is_locked ? 0 : (rows[i]?.content_bytes ?? 0) }))
  const total = listed.reduce((sum, { bytes }) => sum + bytes, 0)
  if (total <= MAX_UNCHUNKED_BYTES) return answer(await withContents(db, listed))
  return inPortions(answer([]), key, async function* () {
    for (const portion of chunksOf(listed)) {
      const lessons = await services.database.readWithReplica((reader) => withContents(reader, portion))
      yield lessons.map((lesson) => Buffer.from(serializer()(lesson)))
    }
  })
}
