import { once } from 'node:events'
import { open, rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { actorFor } from '../../auth/authenticate.ts'
import { nowOf } from '../../core/clock.ts'
import type { ReadContext, Services } from '../../core/context.ts'
import { lazyRequire } from '../../util/lazy.ts'
import { indexPage, readMe, type Summary } from './export-index-html.ts'
import { accountOf, type ExportContext, type Row, SECTIONS, type Section, uploadsAfter } from './export-sections.ts'

/** The export was cancelled or its account deleted. */
export class ExportCancelled extends Error {}

/** Called between batches; throws to stop the export. */
type Heartbeat = () => Promise<void>

const yazl = lazyRequire<typeof import('yazl')>('yazl')

const BATCH = 200

type Counts = Map<string, number>

/** The rows of a section as a JSON array with one row per line, read in batches. */
async function* rowsOf(ctx: ReadContext, section: Section, about: ExportContext, counts: Counts, beat: Heartbeat): AsyncGenerator<string> {
  let count = 0
  yield '['
  for (let after = 0; ; ) {
    await beat()
    const rows = await section.rows(ctx.db, about, after, BATCH)
    let chunk = ''
    for (const row of rows) {
      chunk += `${count === 0 ? '' : ','}\n${JSON.stringify(section.view ? section.view(row) : row)}`
      count += 1
    }
    yield chunk
    const last = rows.at(-1)
    if (!last || rows.length < BATCH) break
    after = last.id as number
  }
  counts.set(section.file, count)
  yield '\n]\n'
}

async function* fileOf({ storage, log }: Services, { id, store, path }: Row, beat: Heartbeat): AsyncGenerator<Buffer> {
  const content = await storage.of(store as 'disk' | 's3').get(path as string)
  if (!content) {
    log.warn({ event: 'export_file_missing', media_id: id }, 'file missing from storage, omitted from a data export')
    return
  }
  for await (const chunk of content) {
    await beat()
    yield chunk as Buffer
  }
}

/** Maximum bytes of a file name; file systems allow 255 including the id in front. */
const NAME_BYTES = 150

/** A name that is valid on every file system. Truncates from the front, to keep the extension. */
const safeName = (name: string): string => {
  let kept = ''
  for (const character of [...name.replace(/[^\p{L}\p{N}._ -]/gu, '_')].reverse()) {
    if (Buffer.byteLength(character + kept) > NAME_BYTES) break
    kept = character + kept
  }
  return kept.replace(/[. ]+$/, '')
}

/**
 * Writes all data of a member into a new zip file, with at most one batch of rows in memory.
 * @throws NoLongerWanted from `beat`; Error if the account is deleted
 */
export const writeArchive = async (services: Services, userId: number, target: string, beat: Heartbeat = async () => {}): Promise<void> => {
  const { database, clock } = services
  const now = nowOf(clock)
  const ctx: ReadContext = { db: database.read, now, services, snapshot: services.caches.unpolled() }
  const account = await accountOf(ctx.db, userId)
  if (!account) throw new ExportCancelled()
  const about: ExportContext = { userId, actor: (await actorFor(ctx.db, userId)) ?? null, origin: services.origin() }
  const zip = new (yazl().ZipFile)()
  const options = { mtime: clock.now(), mode: 0o100644 }
  const output = zip.outputStream as Readable
  const fail = (error: unknown) => output.destroy(error instanceof Error ? error : new Error(String(error)))
  zip.on('error', fail)

  const closed = new Promise<never>((_resolve, reject) => output.once('close', () => reject(new Error('the archive was closed'))))
  closed.catch(() => {})

  /** Adds an entry and waits until it has been read, so that only one stream is open at a time. */
  const add = (path: string, chunks: AsyncIterable<string | Buffer> | Iterable<string>) => {
    const stream = Readable.from(chunks, { objectMode: false })
    // Rejects if the stream emits an error.
    const read = once(stream, 'end')
    read.catch(fail)
    zip.addReadStream(stream, path, options)
    return Promise.race([read, closed])
  }

  const fill = async () => {
    const counts: Counts = new Map()
    await add('profile.json', [`${JSON.stringify(account, null, 2)}\n`])
    for (const section of SECTIONS) await add(`${section.file}.json`, rowsOf(ctx, section, about, counts, beat))
    for (let after = 0; ; ) {
      const files = await uploadsAfter(ctx.db, [userId, after, BATCH])
      for (const file of files) await add(`files/${file.id}-${safeName(String(file.file_name))}`, fileOf(services, file, beat))
      const last = files.at(-1)
      if (!last || files.length < BATCH) break
      after = last.id as number
    }
    const summary: Summary = { account, now, origin: about.origin, sections: SECTIONS, counts }
    await add('index.html', [indexPage(summary)])
    await add('README.txt', [readMe(summary)])
    zip.end()
  }

  // `wx`: never overwrite or delete an existing file, which belongs to another attempt.
  const file = await open(target, 'wx', 0o600)
  try {
    const [written, filled] = await Promise.allSettled([pipeline(output, file.createWriteStream()), fill()])
    // An error while filling is the cause of the write error.
    if (filled.status === 'rejected') throw filled.reason
    if (written.status === 'rejected') throw written.reason
  } catch (error) {
    await rm(target, { force: true })
    throw error
  }
}
