import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { UnreadableSource } from '../../source.ts'
import { fileType, isFolder, readDumpFile } from '../open-file.ts'
import type { Wanted } from '../shape.ts'
import type { Staging } from '../staging.ts'
import { stagePostgresDump } from './read-dump.ts'
import { stagePostgresServer } from './read-live.ts'

export const isPostgresUrl = (place: string): boolean => /^postgres(?:ql)?:\/\//i.test(place)

const DUMP = /\.sql(?:\.gz)?$/i

/** Finds the dump in a folder, which may contain other files. */
const dumpIn = async (folder: string): Promise<string> => {
  const names = (await readdir(folder)).filter((name) => DUMP.test(name))
  if (names.length !== 1) throw new UnreadableSource(`${folder} must have exactly one .sql or .sql.gz file; it has ${names.length}.`)
  return join(folder, names[0] as string)
}

/** Copies tables from a dump, a folder with a dump, or the URL of a database. @throws UnreadableSource */
export const stagePostgres = async (staging: Staging, place: string, wanted: Wanted, signal?: AbortSignal): Promise<void> => {
  if (isPostgresUrl(place)) return stagePostgresServer(staging, place, wanted, signal)
  const file = (await isFolder(place)) ? await dumpIn(place) : place
  if ((await fileType(file)) === 'postgres')
    throw new UnreadableSource(`${file} has the custom format of pg_dump. Convert it with: pg_restore --no-owner --file=dump.sql ${file}`)
  await stagePostgresDump(staging, readDumpFile(file), wanted)
}
