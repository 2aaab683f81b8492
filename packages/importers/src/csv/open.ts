import { readdir, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { ArchiveKind } from '@lyceum/contract/archive'
import { datetimeOf } from '../datetime.ts'
import { type Entry, type OpenSource, type Source, UnreadableSource } from '../source.ts'
import { isFolder } from '../staging/open-file.ts'
import { openStaging } from '../staging/staging.ts'
import { dateOf } from './dates.ts'
import { type MemberLists, problemOf, readMembers, rowsOf, spacesOf } from './members.ts'
import { stageMembers } from './stage.ts'
import { listOf } from './words.ts'

const LIST = /\.(?:csv|tsv|txt)(?:\.gz)?$/i

const filesAt = async (place: string) => {
  if (!(await isFolder(place))) return [{ name: basename(place), path: place }]
  const names = (await readdir(place)).filter((name) => LIST.test(name)).sort()
  if (names.length === 0) throw new UnreadableSource(`${place} has no .csv file.`)
  return names.map((name) => ({ name, path: join(place, name) }))
}

/** Member lists do not contain the privacy of spaces, so spaces become secret until an administrator opens them. */
function* readSpaces(lists: MemberLists): Generator<Entry<'spaces'>> {
  let position = 0
  for (const [id, title] of spacesOf(lists))
    yield { id, title, slug: title, privacy: 'secret', status: 'published', position: ++position, created_at: lists.earliest }
}

function* readMemberships(lists: MemberLists): Generator<Entry<'memberships'>> {
  for (const row of rowsOf(lists)) {
    if (problemOf(row)) continue
    const joined_at = dateOf(row.joined ?? '', lists.orders.get(row.file)?.joined ?? 'month') ?? lists.earliest
    for (const space of new Set(listOf(row.spaces ?? '').map((name) => name.toLowerCase())))
      yield { id: `${space}:${row.key}`, space, person: row.key, role: 'member', status: 'active', joined_at }
  }
}

const READERS: { [K in ArchiveKind]?: (lists: MemberLists) => Iterable<Entry<K>> } = {
  people: readMembers,
  spaces: readSpaces,
  memberships: readMemberships,
}

const countRows = (entries: Iterable<Entry<ArchiveKind>>): number => {
  let count = 0
  for (const entry of entries) if (!('unreadable' in entry) || entry.unreadable.outcome !== 'noted') count++
  return count
}

/** The earliest joining date in the lists; the file's modification time if there is none. */
const earliestOf = (lists: Omit<MemberLists, 'earliest'>, written: Date): string => {
  let earliest: string | null = null
  for (const row of rowsOf({ ...lists, earliest: '' })) {
    const date = dateOf(row.joined ?? '', lists.orders.get(row.file)?.joined ?? 'month')
    if (date !== null && (earliest === null || date < earliest)) earliest = date
  }
  return earliest ?? (datetimeOf(Math.floor(written.getTime() / 1000) * 1000) as string)
}

/** Opens a CSV member list, or a folder of them. */
export const openCsv: OpenSource = async (place, { temporary }) => {
  const file = await stat(place).catch(() => null)
  if (!file) throw new UnreadableSource(`${place}: there is no such file or folder.`)
  const staging = openStaging(temporary)
  try {
    const members = { staging, ...(await stageMembers(staging, await filesAt(place))) }
    return listSource({ ...members, earliest: earliestOf(members, file.mtime) })
  } catch (error) {
    staging.close()
    throw error
  }
}

const listSource = (lists: MemberLists): Source => ({
  name: 'csv',
  origins: [],
  basePath: '',
  counts: async () => ({
    people: countRows(readMembers(lists)),
    spaces: countRows(readSpaces(lists)),
    memberships: countRows(readMemberships(lists)),
  }),
  read: async function* <K extends ArchiveKind>(kind: K) {
    const read = READERS[kind] as ((of: MemberLists) => Iterable<Entry<K>>) | undefined
    if (read) yield* read(lists)
  },
  openMedia: async () => null,
  leftOut: async () => Object.fromEntries([...lists.unknown].map(([header, count]) => [`values of the column “${header}”`, count])),
  close: async () => lists.staging.close(),
})
