import type { ArchiveRecord } from '@lyceum/contract/archive'
import type { Entry, Unreadable } from '../source.ts'
import type { Staging } from '../staging/staging.ts'
import { dateOf } from './dates.ts'
import { type MemberRow, type Members, SITES } from './stage.ts'
import { isEmail, listOf, memberStatusOf, roleOf } from './words.ts'

type Person = ArchiveRecord<'people'>

/** Staged member lists. */
export interface MemberLists extends Members {
  readonly staging: Staging
  /** Joining time for members without one: the earliest in the lists. */
  readonly earliest: string
}

const MEMBERS = `select m.*, (select min(n) from member f where f.key = m.key) as first,
    (select place from member f where f.key = m.key order by n limit 1) as first_place from member m order by m.n`

type Row = MemberRow & { readonly first: number; readonly first_place: string }

export const rowsOf = ({ staging }: MemberLists): Iterable<Row> => staging.rows<Row>(MEMBERS)

const unreadable = (place: string, reason: string, outcome: Unreadable['outcome']) => ({ unreadable: { id: place, reason, outcome } })

/** The reason to reject a row; null if it is a member. */
export const problemOf = (row: Row): { readonly unreadable: Unreadable } | null => {
  if (!row.key) return unreadable(row.place, 'it has no email address', 'failed')
  if (!isEmail(row.key)) return unreadable(row.place, 'its email address is invalid', 'failed')
  if (row.first !== row.n) return unreadable(row.place, `its email address is already used in ${row.first_place}`, 'skipped')
  return memberStatusOf(row.status ?? '') === 'absent'
    ? unreadable(row.place, `its status is ${row.status}, so it is not a current member`, 'skipped')
    : null
}

const webAddress = (text: string | null): string | null => {
  if (!text) return null
  const address = /^https?:\/\//i.test(text) ? text : /^[\w-]+(?:\.[\w-]+)+(?:[/?#]\S*)?$/.test(text) ? `https://${text}` : null
  return address !== null && URL.canParse(address) ? address : null
}

/** Derives a username from the name. The email address is not used, because usernames are public. */
const usernameOf = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '.')
    .replace(/^\.|\.$/g, '') || 'member'

const some = <K extends keyof Person>(key: K, value: Person[K] | '' | null | undefined): Partial<Person> =>
  value === '' || value === null || value === undefined ? {} : ({ [key]: value } as Partial<Person>)

const namesOf = ({ name, first_name, last_name }: Row) => {
  const full = name || [first_name, last_name].filter(Boolean).join(' ')
  if (first_name || last_name) return { full, first: first_name, last: last_name }
  const [surname = '', given, ...further] = full.split(/,\s*/)
  if (given && further.length === 0) return { full: `${given} ${surname}`, first: given, last: surname }
  const [first = '', ...rest] = full.split(/\s+/)
  return { full, first, last: rest.join(' ') }
}

const member = ({ orders, earliest }: MemberLists, row: Row): Person => {
  const { full, first, last } = namesOf(row)
  const order = orders.get(row.file)
  const joined = dateOf(row.joined ?? '', order?.joined ?? 'month')
  const seen = dateOf(row.seen ?? '', order?.seen ?? 'month')
  const links = Object.fromEntries(
    SITES.flatMap((site) => {
      const address = webAddress(row[site] ?? null)
      return address ? [[site, address]] : []
    }),
  )
  const status = memberStatusOf(row.status ?? '')
  const points = Number(row.points?.replace(/[\s,.'](?=\d{3}\b)/g, '') || Number.NaN)
  return {
    id: row.key,
    username: row.username?.replace(/^@/, '') || usernameOf(full),
    email: row.key,
    password: null,
    ...some('display_name', full),
    ...some('first_name', first),
    ...some('last_name', last),
    ...some('short_description', [row.headline, row.bio].filter(Boolean).join('\n\n')),
    ...some('location', row.location || [row.city, row.country].filter(Boolean).join(', ')),
    ...some('website', webAddress(row.website)),
    ...some('avatar_url', webAddress(row.avatar)),
    ...(Object.keys(links).length > 0 && { social_links: links }),
    status: status === null || status === 'absent' ? 'pending' : status,
    ...some('role', roleOf(row.role ?? '')),
    ...(Number.isInteger(points) && points > 0 && { points }),
    ...(seen && { last_activity: seen }),
    created_at: joined ?? earliest,
  }
}

/** Reports values of a row that were not imported. */
function* notesOf({ orders }: MemberLists, row: Row): Generator<{ readonly unreadable: Unreadable }> {
  if (memberStatusOf(row.status ?? '') === null)
    yield unreadable(row.place, `the status “${row.status}” is unknown; the member awaits approval`, 'noted')
  for (const field of ['website', 'avatar', ...SITES] as const) {
    const value = row[field]
    if (value && webAddress(value) === null) yield unreadable(row.place, `“${value}” was dropped: it is not a URL`, 'noted')
  }
  if (row.joined && dateOf(row.joined, orders.get(row.file)?.joined ?? 'month') === null)
    yield unreadable(row.place, `“${row.joined}” is not a date; the earliest date of the list is used`, 'noted')
}

export function* readMembers(lists: MemberLists): Generator<Entry<'people'>> {
  for (const { id, reason } of lists.broken) yield unreadable(id, reason, 'failed')
  for (const row of rowsOf(lists)) {
    const problem = problemOf(row)
    if (problem) {
      yield problem
      continue
    }
    yield* notesOf(lists, row)
    yield member(lists, row)
  }
}

/** Names of the members' spaces by lowercase name. */
export const spacesOf = (lists: MemberLists): ReadonlyMap<string, string> => {
  const spaces = new Map<string, string>()
  for (const row of rowsOf(lists))
    if (!problemOf(row))
      for (const name of listOf(row.spaces ?? '')) if (!spaces.has(name.toLowerCase())) spaces.set(name.toLowerCase(), name)
  return spaces
}
