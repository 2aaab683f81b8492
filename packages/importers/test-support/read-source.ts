import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ARCHIVE_KINDS, type ArchiveKind, type ArchiveRecord } from '@lyceum/contract/archive'
import { onTestFinished } from 'vitest'
import type { Source, Unreadable } from '../src/source.ts'

/** A folder with files, deleted after the test. */
export const folderWith = async (files: Readonly<Record<string, string | Uint8Array>>): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'lyceum-test-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content)
  return folder
}

export type Records = { [K in ArchiveKind]: ArchiveRecord<K>[] }

/** Everything that a source has. Closes it, and checks its counts. */
export const readAll = async (source: Source) => {
  const records = Object.fromEntries(ARCHIVE_KINDS.map((kind) => [kind, [] as unknown[]])) as unknown as Records
  const unreadable: (Unreadable & { kind: ArchiveKind })[] = []
  const counts = await source.counts()
  for (const kind of ARCHIVE_KINDS) {
    let rows = 0
    for await (const entry of source.read(kind)) {
      if (!('unreadable' in entry) || entry.unreadable.outcome !== 'noted') rows++
      if ('unreadable' in entry) unreadable.push({ kind, ...entry.unreadable })
      else (records[kind] as unknown[]).push(entry)
    }
    if (rows !== (counts[kind] ?? 0)) throw new Error(`${kind}: ${rows} rows, but counts() says ${counts[kind] ?? 0}`)
  }
  const leftOut = await source.leftOut()
  await source.close()
  return { records, unreadable, leftOut }
}
