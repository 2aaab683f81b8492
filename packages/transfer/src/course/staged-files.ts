import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import type { CourseDraft, FileDraft, Report, Tree } from '@lyceum/importers'
import { CommandError } from '../../../server/src/cli/terminal.ts'
import type { Services, WriteRequest } from '../../../server/src/core/context.ts'
import { ApiError } from '../../../server/src/core/errors.ts'
import type { Db } from '../../../server/src/db/index.ts'
import {
  type InspectedFile,
  insertMedia,
  inspectFile,
  mediaByKey,
  rowOf,
  type Stored,
  storeInspected,
} from '../../../server/src/modules/media/index.ts'

const allFiles = ({ files, sections }: CourseDraft): FileDraft[] => [
  ...files,
  ...sections.flatMap(({ lessons }) => lessons.flatMap((lesson) => lesson.files)),
]

/** Inspected files of a course, ready to be stored. A file that several pages reference is included once. */
interface StagedFiles {
  /** Stores the files; returns the stored ones by path. */
  store(services: Services, userId: number): Promise<ReadonlyMap<string, Stored>>
  /** Removes the temporary files. */
  clear(): Promise<void>
}

/** Commands do not count against any member's quota. */
const NO_MEMBER = 0
const REFUSED =
  'has an unsupported type: files are images (JPEG, PNG, GIF, WebP), videos (MP4, WebM), audio (MP3, M4A, Ogg, WAV), PDF documents and ZIP archives'

/** Inspects all referenced files like uploads. A rejected file is an error of the page that references it. */
export const stageFiles = async (tree: Tree, course: CourseDraft, most: number, report: Report): Promise<StagedFiles> => {
  const folder = await mkdtemp(join(tmpdir(), 'lyceum-course-'))
  const looked = new Map<string, InspectedFile>()
  const clear = () => rm(folder, { recursive: true, force: true })
  const first = new Map(
    allFiles(course)
      .reverse()
      .map((each) => [each.path, each]),
  )
  try {
    for (const { path, file, line } of [...first.values()].reverse()) {
      const content = tree.get(path) ?? Buffer.alloc(0)
      if (content.length > most) {
        report.error(file, line, `${path} is too large: a file has at most ${most} bytes (LYCEUM_MEDIA_MAX_BYTES)`)
        continue
      }
      const place = join(folder, String(looked.size))
      await writeFile(place, content)
      try {
        looked.set(path, await inspectFile(NO_MEMBER, { path: place, name: basename(path), size: content.length }))
      } catch (error) {
        if (!(error instanceof ApiError)) throw error
        report.error(file, line, `${path} ${REFUSED}`)
      }
    }
  } catch (error) {
    await clear()
    throw error
  }
  return {
    clear,
    store: async (services, userId) => {
      await storeInspected(services, [...looked.values()])
      const { kind } = services.storage.current
      return new Map(Array.from(looked, ([path, file]) => [path, rowOf(file, userId, kind)]))
    },
  }
}

/** Deletes stored files if the course could not be created. */
export const removeStored = async ({ storage }: Services, stored: ReadonlyMap<string, Stored>): Promise<void> => {
  for (const { path, thumbnail_path } of stored.values())
    for (const each of [path, thumbnail_path]) if (each) await storage.current.remove(each).catch(() => {})
}

/**
 * Inserts the rows of the files; the course and its lessons claim them when they are created. A file that several pages reference is stored
 * once but has one row per page, each with its own URL and access.
 */
export const insertFiles = async ({ db, now }: WriteRequest, course: CourseDraft, stored: ReadonlyMap<string, Stored>): Promise<void> => {
  const insert = async (source: 'course' | 'lesson', files: readonly FileDraft[]) => {
    for (const { key, path } of files) {
      const file = stored.get(path)
      if (file) await insertMedia(db, { ...file, key, object_source: source, object_id: null }, now)
    }
  }
  await insert('course', course.files)
  for (const { lessons } of course.sections) for (const { files } of lessons) await insert('lesson', files)
}

/** The contents of the files of a stored course, by export path. @throws CommandError if a file is missing from the storage */
export const contentsOf = async (db: Db, { storage }: Services, course: CourseDraft): Promise<Map<string, Buffer>> => {
  const contents = new Map<string, Buffer>()
  for (const { key, path } of allFiles(course)) {
    if (contents.has(path)) continue
    const row = await mediaByKey(db, [key])
    const stream = row && (await storage.of(row.store).get(row.path))
    if (!stream) throw new CommandError(`${path} is missing from the file storage; "lyceum doctor --repair" marks lost files as deleted`)
    contents.set(path, await buffer(stream))
  }
  return contents
}
