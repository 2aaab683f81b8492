import { Lesson } from '@lyceum/contract'
import fastJsonStringify from 'fast-json-stringify'
import { inPortions } from '../../cache/json-fragments.ts'
import type { ReadContext } from '../../core/context.ts'
import { lazy } from '../../util/lazy.ts'
import { contentsOf, type ListedLesson } from './queries.ts'
import type { LessonView } from './view.ts'

/** A list whose contents are larger is read and sent in portions, of so many bytes each unless one lesson is larger. */
const WHOLE_BYTES = 512 * 1024
const PORTION_BYTES = 256 * 1024

const serializer = lazy(() => fastJsonStringify(Lesson as object))

interface Listed {
  readonly view: LessonView
  /** How long its content is; 0 where it is not shown. */
  readonly bytes: number
}

const withContents = async (db: ReadContext['db'], listed: readonly Listed[]): Promise<LessonView[]> => {
  const contents = await contentsOf(
    db,
    listed.filter(({ bytes }) => bytes > 0).map(({ view }) => view.id),
  )
  return listed.map(({ view }) => ({ ...view, content: contents.get(view.id) ?? '' }))
}

const portionsOf = (listed: readonly Listed[]): Listed[][] => {
  const portions: Listed[][] = []
  let size = Number.POSITIVE_INFINITY
  for (const one of listed) {
    const bytes = one.bytes + 1024
    if (size + bytes > PORTION_BYTES) {
      portions.push([])
      size = 0
    }
    portions.at(-1)?.push(one)
    size += bytes
  }
  return portions
}

/** A list of lessons with what they hold, under `key` of an answer that has an empty list there. What `views` leaves out of a lesson stays out. */
export const withLessons = async <R extends object>(
  { db, services }: Pick<ReadContext, 'db' | 'services'>,
  rows: readonly ListedLesson[],
  views: readonly LessonView[],
  answer: (lessons: LessonView[]) => R,
  key: keyof R & string,
): Promise<R> => {
  const listed = views.map((view, i) => ({ view, bytes: view.is_locked ? 0 : (rows[i]?.content_bytes ?? 0) }))
  const total = listed.reduce((sum, { bytes }) => sum + bytes, 0)
  if (total <= WHOLE_BYTES) return answer(await withContents(db, listed))
  return inPortions(answer([]), key, async function* () {
    for (const portion of portionsOf(listed)) {
      const lessons = await services.database.reading((reader) => withContents(reader, portion))
      yield lessons.map((lesson) => Buffer.from(serializer()(lesson)))
    }
  })
}
