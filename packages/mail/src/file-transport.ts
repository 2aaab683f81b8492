import { randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { escapeHtml } from '@lyceum/content'

const MAX_FILES = 1000
const SWEEP_EVERY = 100

/** `20261121T001512123Z-000007-3f9ac01b.eml`: names sort by time, and by the order of writing at the same time. */
const fileName = (at: Date, count: number) =>
  `${at.toISOString().replace(/[-:.]/g, '')}-${String(count).padStart(6, '0')}-${randomBytes(4).toString('hex')}.eml`

/** A directory with the newest 1000 mails, each an atomically written file that only its owner can read. */
export const createOutbox = (directory: string) => {
  let begun = 0

  const sweep = async () => {
    const names = (await readdir(directory)).filter((name) => name.endsWith('.eml')).sort()
    await Promise.all(names.slice(0, -MAX_FILES).map((name) => rm(join(directory, name), { force: true })))
  }

  /** Writes a mail and returns the path of its file. */
  return async (mail: Buffer, at: Date): Promise<string> => {
    begun += 1
    const name = fileName(at, begun)
    await mkdir(directory, { recursive: true, mode: 0o700 })
    const path = join(directory, name)
    const draft = `${path}.tmp`
    try {
      await writeFile(draft, mail, { flag: 'wx', mode: 0o600, flush: true })
      await rename(draft, path)
    } catch (error) {
      await rm(draft, { force: true })
      throw error
    }
    if (begun % SWEEP_EVERY === 0) await sweep()
    return path
  }
}

const escaped = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')

/** Deletes the mails that contain one of these words, ignoring case; returns their number. Words are whole names and addresses. */
export const eraseInOutbox = async (directory: string, words: readonly string[]): Promise<number> => {
  const wanted = words.filter((word) => word !== '').flatMap((word) => [escaped(word), escaped(escapeHtml(word))])
  if (wanted.length === 0) return 0
  const holds = new RegExp(`(?<![\\p{L}\\p{N}])(?:${wanted.join('|')})(?![\\p{L}\\p{N}])`, 'iu')
  const names = await readdir(directory).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  let removed = 0
  for (const name of names) {
    const path = join(directory, name)
    if (!name.endsWith('.eml') || !holds.test(await readFile(path, 'utf8').catch(() => ''))) continue
    await rm(path, { force: true })
    removed += 1
  }
  return removed
}
