import { createReadStream } from 'node:fs'
import { lstat, open, readdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createZstdDecompress } from 'node:zlib'
import type { Tree } from '@lyceum/importers'
import { CommandError } from '../../../server/src/cli/terminal.ts'
import { type Found, isLeftover, MOST_BYTES, MOST_FILES, pathTrouble, tarFiles, zipFiles } from './unpack.ts'

async function* folderFiles(folder: string, inside = ''): AsyncGenerator<Found> {
  for (const { name } of await readdir(join(folder, inside), { withFileTypes: true })) {
    const path = inside ? `${inside}/${name}` : name
    if (isLeftover(path)) continue
    const { size, ...found } = await lstat(join(folder, path)).then((stats) => ({
      size: stats.size,
      file: stats.isFile(),
      folder: stats.isDirectory(),
    }))
    if (found.folder) yield* folderFiles(folder, path)
    else if (!found.file) throw new CommandError(`${path} is not a regular file`)
    else if (size > MOST_BYTES) throw new CommandError(`${path} is too large: a course has at most ${MOST_BYTES >> 20} MB`)
    else yield { path, content: await readFile(join(folder, path)) }
  }
}

const startOf = async (file: string): Promise<Buffer> => {
  const handle = await open(file, 'r')
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(512), 0, 512, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await handle.close()
  }
}

const begins = (start: Buffer, ...bytes: number[]) => start.subarray(0, bytes.length).equals(Buffer.from(bytes))

/** Detects the type of an archive by its first bytes, not by its name. */
const archiveFiles = async function* (file: string, start: Buffer): AsyncGenerator<Found> {
  if (begins(start, 0x50, 0x4b)) return yield* zipFiles(file)
  const stream = createReadStream(file)
  const unpack = begins(start, 0x1f, 0x8b) ? createGunzip() : begins(start, 0x28, 0xb5, 0x2f, 0xfd) ? createZstdDecompress() : null
  if (!unpack) return yield* tarFiles(stream)
  const fed = pipeline(stream, unpack)
  fed.catch(() => {})
  try {
    yield* tarFiles(unpack)
  } finally {
    unpack.destroy()
    await fed.catch(() => {})
  }
}

const looksPacked = (start: Buffer) =>
  begins(start, 0x50, 0x4b, 0x03, 0x04) ||
  begins(start, 0x50, 0x4b, 0x05, 0x06) ||
  begins(start, 0x1f, 0x8b) ||
  begins(start, 0x28, 0xb5, 0x2f, 0xfd) ||
  start.subarray(257, 262).toString('latin1') === 'ustar'

/** Strips a single top-level folder, which archives of a folder have. */
const unwrapped = (files: Map<string, Buffer>): Tree => {
  const tops = new Set([...files.keys()].map((path) => path.split('/', 1)[0] as string))
  const [top = ''] = tops
  const isWrapped =
    tops.size === 1 &&
    [...files.keys()].every((path) => path.startsWith(`${top}/`)) &&
    [...files.keys()].some((path) => /^[^/]+\/course\.(?:md|ya?ml|json)$/i.test(path))
  return isWrapped ? new Map([...files].map(([path, content]) => [path.slice(top.length + 1), content])) : files
}

/**
 * Reads the files of a course: a folder, a .zip, .tar, .tar.gz or .tar.zst archive, or a single file.
 * @throws CommandError if it is missing, damaged, too large, or has unsafe paths
 */
export const readTree = async (place: string): Promise<Tree> => {
  const stats = await lstat(place).catch(() => null)
  if (!stats) throw new CommandError(`there is no file or folder ${place}`)
  const files = new Map<string, Buffer>()
  let bytes = 0
  const keep = ({ path, content }: Found) => {
    bytes += content.length
    if (files.has(path)) throw new CommandError(`it contains ${path} twice`)
    if (files.size >= MOST_FILES) throw new CommandError(`it has more than ${MOST_FILES} files`)
    if (bytes > MOST_BYTES) throw new CommandError(`it is too large: a course has at most ${MOST_BYTES >> 20} MB`)
    const trouble = pathTrouble(path)
    if (trouble) throw new CommandError(`${JSON.stringify(path)} is refused: ${trouble}`)
    files.set(path, content)
  }
  if (stats.isDirectory()) for await (const found of folderFiles(place)) keep(found)
  else {
    const start = await startOf(place)
    if (looksPacked(start))
      try {
        for await (const found of archiveFiles(place, start)) if (!isLeftover(found.path)) keep(found)
      } catch (error) {
        if (error instanceof CommandError) throw error
        throw new CommandError(`${basename(place)} is damaged or not a supported archive: ${(error as Error).message}`)
      }
    else if (stats.size > MOST_BYTES) throw new CommandError(`${place} is too large`)
    else keep({ path: basename(place), content: await readFile(place) })
  }
  if (files.size === 0) throw new CommandError(`${place} is empty`)
  return unwrapped(files)
}
