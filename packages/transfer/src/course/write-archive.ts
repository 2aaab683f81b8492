import { createWriteStream } from 'node:fs'
import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip, createZstdCompress } from 'node:zlib'
import { TAR_END, tarHeader, tarPadding } from '@lyceum/importers/tar'
import { ZipFile } from 'yazl'
import { CommandError } from '../../../server/src/cli/terminal.ts'

type Files = ReadonlyMap<string, string | Buffer>

const zipped = (files: Files, mtime: Date): Readable => {
  const zip = new ZipFile()
  for (const [path, text] of files) zip.addBuffer(Buffer.from(text), path, { mtime, mode: 0o100644 })
  zip.end()
  return zip.outputStream as Readable
}

const tarred = (files: Files, mtime: Date): Readable => {
  const seconds = Math.floor(mtime.getTime() / 1000)
  const entries = [...files].flatMap(([name, text]) => {
    const content = Buffer.from(text)
    return [tarHeader(name, content.length, seconds), content, tarPadding(content.length)]
  })
  return Readable.from([...entries, TAR_END].filter(({ length }) => length > 0))
}

const PACKERS: readonly [RegExp, (files: Files, mtime: Date, target: NodeJS.WritableStream) => Promise<void>][] = [
  [/\.zip$/i, (files, mtime, target) => pipeline(zipped(files, mtime), target)],
  [/\.tar$/i, (files, mtime, target) => pipeline(tarred(files, mtime), target)],
  [/\.(?:tar\.gz|tgz)$/i, (files, mtime, target) => pipeline(tarred(files, mtime), createGzip(), target)],
  [/\.(?:tar\.zst|tzst)$/i, (files, mtime, target) => pipeline(tarred(files, mtime), createZstdCompress(), target)],
]

const writeFolder = async (folder: string, files: Files) => {
  const there = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error.code === 'ENOTDIR' ? new CommandError(`${folder} is a file; use a folder, a .zip or a .tar.gz file`) : error
  })
  if (there.length > 0) throw new CommandError(`${folder} is not empty; choose another folder`)
  for (const [path, text] of files) {
    const target = join(folder, path)
    await mkdir(dirname(target), { recursive: true })
    await writeFile(target, text, { flag: 'wx' })
  }
}

/**
 * Writes the files of a course to a new or empty folder, or to an archive whose type depends on the extension (.zip, .tar, .tar.gz, .tar.zst).
 * @throws CommandError if the target exists
 */
export const writeCourse = async (place: string, files: Files, mtime: Date): Promise<void> => {
  const pack = PACKERS.find(([name]) => name.test(place))?.[1]
  if (!pack) return writeFolder(place, files)
  if (await stat(place).catch(() => null)) throw new CommandError(`${place} exists; choose another name`)
  const draft = `${place}.part`
  try {
    await pack(files, mtime, createWriteStream(draft, { flags: 'wx', mode: 0o600 }))
    await rename(draft, place)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}
