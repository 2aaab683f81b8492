import { BIO_BYTES } from '@lyceum/contract'
import { batchStatement, statement, type Value } from '../../../../server/src/db/index.ts'
import { type Candidate, readBatches } from '../batches.ts'
import { fingerprintOf } from '../hashes.ts'
import { attachFiles, claimFiles, pictureUrl, withOwnFiles } from '../kinds/files.ts'
import { PEOPLE_GUARDED } from '../kinds/people.ts'
import { urlOf } from '../kinds/values.ts'
import { setColumns } from '../kinds/write-columns.ts'
import { findMapped, updateMapped } from '../lookups.ts'
import type { Run } from '../run.ts'
import { writeSlice } from '../slice.ts'
import { hasUnresolved } from './unresolved.ts'

const BATCH = 200
const { columns } = PEOPLE_GUARDED

const rowsOf = batchStatement<Record<string, Value>>(
  { id: 'bigint' },
  (rows) => `select u.id, ${columns.map((column) => `u.${column}`).join(', ')} from ${rows} d cross join users u where u.id = d.id`,
)
const manage = statement('insert into manager_spaces (user_id, space_id) values ($1, $2) on conflict do nothing')

const completeBatch = async (run: Run, candidates: readonly Candidate<'people'>[]): Promise<void> => {
  const { read } = run.services.database
  const mapped = await findMapped(
    read,
    run.name,
    'people',
    candidates.map(({ record }) => record.id),
  )
  const open = candidates.flatMap(({ record, hash }) => {
    const row = mapped.get(record.id)
    return row?.unresolved === 1 && row.hash === hash ? [{ record, row }] : []
  })
  if (open.length === 0) return
  const rows = await rowsOf(
    read,
    open.map(({ row }) => row.local_id ?? 0),
  )
  const byId = new Map(rows.map((row) => [row['id'], row]))
  // Profiles that were changed in this community are kept.
  const people = open.flatMap(({ record, row }) => {
    const stored = byId.get(row.local_id ?? 0)
    const isUntouched = stored && fingerprintOf(columns.map((column) => stored[column] ?? null)) === row.fingerprint
    return isUntouched ? [{ record, row, id: row.local_id as number, stored }] : []
  })
  await run.memory.turn()
  const media = await run.find(
    'media',
    people.flatMap(({ record }) => [record.avatar, record.cover_photo]),
  )
  const spaces = await run.find(
    'spaces',
    people.flatMap(({ record }) => record.managed_spaces ?? []),
  )
  const bios = await run.texts(
    people.map(({ stored }) => ({
      text: String(stored['short_description']),
      ...{ isHtml: false, contentType: 'markdown' as const, most: BIO_BYTES },
    })),
  )
  const claimed = await claimFiles(
    run,
    'profile',
    people.map(({ record, id }) => ({
      ...{ kind: 'people' as const, id: record.id, holder: id },
      keys: [record.avatar, record.cover_photo].flatMap((one) => media.get(one ?? '')?.key ?? []),
    })),
  )
  await run.services.database.write((db) =>
    writeSlice(run, db, async (slice) => {
      const done: (readonly [string, string, string, 0 | 1])[] = []
      for (const [i, { record, row, id, stored }] of people.entries()) {
        const files = claimed[i] ?? []
        const picture = (one: string | null | undefined, url: string | undefined) =>
          withOwnFiles(pictureUrl(run, media, one, urlOf(url)), files)
        const after = {
          ...stored,
          avatar: picture(record.avatar, record.avatar_url),
          cover_photo: picture(record.cover_photo, record.cover_photo_url),
          short_description: bios[i]?.message ?? stored['short_description'],
        }
        const values = columns.map((column) => after[column as keyof typeof after] ?? null)
        await setColumns(db, 'users', columns, id, values)
        const managed = record.managed_spaces ?? []
        for (const space of managed) if (spaces.has(space)) await manage(db, [id, spaces.get(space)?.id ?? 0])
        const isMissing =
          [record.avatar, record.cover_photo].some((one) => one && !media.has(one)) || managed.some((one) => !spaces.has(one))
        done.push([record.id, row.hash, fingerprintOf(values), isMissing || bios[i]?.unresolved ? 1 : 0])
      }
      await attachFiles(
        slice,
        'profile',
        people.map(({ id }, i) => ({ id, files: claimed[i] ?? [] })),
      )
      await updateMapped(db, run.name, 'people', done)
    }),
  )
  await run.pace.rest()
}

/** Completes profiles with data imported after the people: pictures, managed spaces, URLs in descriptions. */
export const completeProfiles = async (run: Run): Promise<void> => {
  if (!(await hasUnresolved(run, 'people'))) return
  for await (const candidates of readBatches(
    run.source,
    'people',
    () => BATCH,
    () => {},
  )) {
    run.checkSignal()
    await completeBatch(run, candidates)
  }
}
