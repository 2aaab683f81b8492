import { createWriteStream } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Services } from '../../../server/src/core/context.ts'
import { filesOf } from '../../../server/src/modules/migrations/index.ts'
import { ImportRefused } from '../import/index.ts'

/** Paths of a source and of its uploads. */
export interface Staged {
  readonly place: string
  readonly uploads?: string
  readonly remove: () => Promise<void>
}

const ARCHIVE = /\.(?:zip|tar|tgz|tar\.gz)$/i
const DUMP = /\.(?:sql|sql\.gz|json|json\.gz)$/i

/** Determines which file is the dump and which contains the uploads. Member lists are read together. */
const rolesOf = (source: string, folder: string, paths: readonly string[]): Pick<Staged, 'place' | 'uploads'> => {
  if (source === 'csv' && paths.length > 1) return { place: folder }
  const dump = paths.find((path) => DUMP.test(path)) ?? paths[0] ?? ''
  const uploads = source === 'lyceum' ? undefined : paths.find((path) => path !== dump && ARCHIVE.test(path))
  return { place: dump, ...(uploads !== undefined && { uploads }) }
}

/** Copies the files uploaded for a source to a temporary folder. @throws ImportRefused if there are none */
export const fetchStaged = async ({ database, storage }: Services, source: string): Promise<Staged> => {
  const files = await filesOf(database.read, [source])
  if (files.length === 0) throw new ImportRefused('no files were uploaded; upload the files first')
  const temporary = await mkdtemp(join(tmpdir(), 'lyceum-staged-'))
  const remove = () => rm(temporary, { recursive: true, force: true })
  try {
    const folder = join(temporary, 'files')
    await mkdir(folder)
    const paths: string[] = []
    for (const { id, file_name, store, path } of files) {
      const content = await storage.of(store).get(path)
      if (content === null) throw new ImportRefused(`the uploaded file ${file_name} is missing; upload it again`)
      const copy = join(folder, `${id}-${file_name.replace(/[^\w.-]/g, '_').slice(-100)}`)
      await pipeline(content, createWriteStream(copy, { mode: 0o600 }))
      paths.push(copy)
    }
    return { ...rolesOf(source, folder, paths), remove }
  } catch (error) {
    await remove()
    throw error
  }
}
