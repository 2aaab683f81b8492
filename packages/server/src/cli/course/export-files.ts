import { type Db, statement } from '../../db/index.ts'
import { keysIn } from '../../modules/media/index.ts'
import type { FileDraft } from './course-model.ts'

const held = statement<{ key: string; file_name: string; path: string }>(
  `select key, file_name, path from media where status = 'active' and ((object_source = 'course' and object_id = $1)
   or (object_source = 'lesson' and object_id in (select id from lessons where course_id = $2))) order by id`,
)

/** `media/dough.png`, or `media/dough-2.png` where another file is called so. */
const freePath = (name: string, taken: Set<string>): string => {
  const dot = name.lastIndexOf('.')
  for (let n = 1; ; n++) {
    const path = `media/${n === 1 ? name : `${name.slice(0, dot)}-${n}${name.slice(dot)}`}`
    if (taken.has(path.toLowerCase())) continue
    taken.add(path.toLowerCase())
    return path
  }
}

/** Gives the files of a course that some texts refer to. To be asked page by page in their order, which the names of the files follow. */
export const createFinder = async (db: Db, courseId: number): Promise<(texts: readonly string[]) => FileDraft[]> => {
  const rows = new Map((await held(db, [courseId, courseId])).map((row) => [row.key, row]))
  const places = new Map<string, string>()
  const taken = new Set<string>()
  return (texts) =>
    keysIn(texts).flatMap((key) => {
      const row = rows.get(key)
      if (!row) return []
      const path = places.get(row.path) ?? freePath(row.file_name, taken)
      places.set(row.path, path)
      return [{ key, path, file: '', line: null }]
    })
}
