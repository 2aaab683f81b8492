import { lazy } from '@lyceum/content/lazy'
import { Lesson } from '@lyceum/contract'
import fastJsonStringify from 'fast-json-stringify'
import { type ChunkedItems, unpooledBytes, withChunkedItems } from '../../cache/json-fragments.ts'
import type { ReadContext, Services } from '../../core/context.ts'
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

const EMPTY = '"content":""'

/** The JSON of a lesson around its content. A text within it cannot look like `EMPTY`, because its quotes are escaped. */
const splitAtContent = (view: LessonView): [head: string, rest: string] => {
  const text = serializer()({ ...view, content: '' })
  const at = text.indexOf(EMPTY) + EMPTY.length - 2
  return [text.slice(0, at), text.slice(at + 2)]
}

/** A lesson of a chunk: its JSON without the content, split where the content belongs. */
interface Placed {
  /** Null if the content is not shown. */
  readonly id: number | null
  readonly start: number
  readonly split: number
  readonly end: number
}

interface Plan {
  readonly chunks: readonly (readonly Placed[])[]
  /** JSON of all lessons without their contents. */
  readonly json: Buffer
  /** Size of the largest chunk. */
  readonly largest: number
}

/** What a list in chunks needs until it is sent. A client may take its time to read it, so this keeps no object per field. */
const planChunks = (listed: readonly ListedView[]): Plan => {
  const chunks: Placed[][] = []
  const texts: string[] = []
  let start = 0
  let size = Number.POSITIVE_INFINITY
  let largest = 0
  for (const { view, bytes } of listed) {
    const [head, rest] = splitAtContent(view)
    texts.push(head, rest)
    const split = start + Buffer.byteLength(head)
    const end = split + Buffer.byteLength(rest)
    const own = end - start + bytes
    if (size + own > CHUNK_BYTES) {
      chunks.push([])
      size = 0
    }
    chunks.at(-1)?.push({ id: bytes > 0 ? view.id : null, start, split, end })
    size += own
    largest = Math.max(largest, size)
    start = end
  }
  return { chunks, json: unpooledBytes(texts.join('')), largest }
}

const itemsOf = ({ chunks, json, largest }: Plan, { database }: Services): ChunkedItems => ({
  retained: json.length,
  largest,
  start: () => {
    let at = 0
    return async () => {
      const chunk = chunks[at]
      if (!chunk) return null
      at += 1
      const ids = chunk.flatMap(({ id }) => id ?? [])
      const contents = await database.readWithReplica((db) => contentsOf(db, ids))
      return chunk.flatMap(({ id, start, split, end }, i) => [
        i === 0 ? '' : ',',
        json.subarray(start, split),
        JSON.stringify((id !== null && contents.get(id)) || ''),
        json.subarray(split, end),
      ])
    }
  },
})

/**
 * Fills in the contents of listed lessons and sends long lists in chunks. The list is inserted at `key` of the response, which has an empty
 * list there. Content that `views` omits stays omitted.
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
  return withChunkedItems(answer([]), key, itemsOf(planChunks(listed), services))
}
