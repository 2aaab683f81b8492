import type { ArchiveRecord } from '@lyceum/contract/archive'
import { datetimeOf } from '../datetime.ts'
import { type Fields, jsonFields, numberOf, textOf } from '../fields.ts'
import { leftOut, NO_DATA } from '../left-out.ts'
import type { Entry } from '../source.ts'
import { type Forum, spaceOfCategory } from './forum.ts'
import { mediaOf } from './media.ts'

type Person = ArchiveRecord<'people'>

interface Row {
  readonly uid: number
  /** Null if the account was deleted. */
  readonly data: string | null
  readonly settings: string | null
  readonly banned: number
  readonly bans: string | null
  readonly admin: number
  readonly moderator: number
  /** Time of the first imported post of a deleted account. */
  readonly since: number | null
}

const PEOPLE = `select a.uid, h.data, s.data as settings, a.since,
    exists (select 1 from zset where _key = 'users:banned' and value = cast(a.uid as text)) as banned,
    (select b.data from zset z join hash b on b._key = z.value where z._key = 'uid:' || a.uid || ':bans:timestamp' order by z.score desc limit 1) as bans,
    exists (select 1 from zset where _key = 'group:administrators:members' and value = cast(a.uid as text)) as admin,
    exists (select 1 from zset where _key = 'group:Global Moderators:members' and value = cast(a.uid as text)) as moderator
  from account a left join hash h on h._key = 'user:' || a.uid left join hash s on s._key = 'user:' || a.uid || ':settings' order by a.uid`

const BCRYPT = /^\$2[aby]?\$\d\d\$[./A-Za-z0-9]{53}$/

/** The password hash of an account. Since 2020, NodeBB hashes the SHA-512 of a password; older hashes change at the next sign-in. */
export const passwordOf = (fields: Fields, name = 'password'): string | null => {
  const hash = textOf(fields[name])
  if (!BCRYPT.test(hash)) return null
  return numberOf(fields['password:shaWrapped']) === 1 ? `sha512+${hash}` : hash
}

const DIGESTS: Readonly<Record<string, 'daily' | 'weekly' | 'never'>> = {
  day: 'daily',
  week: 'weekly',
  biweek: 'weekly',
  month: 'never',
  off: 'never',
}

/** Whether a ban is in force. Temporary bans expire. */
const isBanned = ({ banned, bans }: Row, fields: Fields, now: number): boolean => {
  if (!banned && numberOf(fields['banned']) !== 1) return false
  const until = numberOf(fields['banned:expire']) ?? numberOf(jsonFields(bans)?.['expire']) ?? 0
  return until === 0 || until > now
}

const names = (full: string): { first_name?: string; last_name?: string } => {
  const [first = '', ...rest] = full.split(/\s+/)
  return { ...(first && { first_name: first }), ...(rest.length > 0 && { last_name: rest.join(' ') }) }
}

/** The display name. Full names that the forum or their owner hides are not imported, because Lyceum shows them. */
const shownName = ({ config }: Forum, fields: Fields, settings: Fields): string =>
  numberOf(config['hideFullname']) !== 1 && numberOf(settings['showfullname'] ?? config['showfullname']) === 1
    ? textOf(fields['fullname'])
    : ''

const some = <K extends keyof Person>(key: K, value: Person[K] | '' | null): Partial<Person> =>
  value === '' || value === null ? {} : ({ [key]: value } as Partial<Person>)

const picture = (forum: Forum, name: 'avatar' | 'cover_photo', address: unknown): Partial<Person> => {
  const file = mediaOf(forum, address)
  if (file !== null) return { [name]: file }
  const url = textOf(address)
  return /^https?:\/\//i.test(url) ? { [`${name}_url`]: url } : {}
}

/** An author without an account; id 0 represents guests. */
const deletedPerson = ({ earliest }: Forum, uid: number, since: number | null): Person => ({
  id: String(uid),
  username: uid === 0 ? 'guest' : `former-member-${uid}`,
  email: null,
  password: null,
  status: 'deleted',
  created_at: datetimeOf(since) ?? earliest,
})

const person = (forum: Forum, row: Row, fields: Fields, managed: readonly string[]): Person => {
  const settings = jsonFields(row.settings) ?? {}
  const username = textOf(fields['username']) || `user-${row.uid}`
  const slug = textOf(fields['userslug'])
  const full = shownName(forum, fields, settings)
  const digest = DIGESTS[textOf(settings['dailyDigestFreq'])]
  const seen = datetimeOf(numberOf(fields['lastonline']))
  return {
    id: String(row.uid),
    urls: [...(slug ? [`${forum.base}/user/${slug}`] : []), `${forum.base}/uid/${row.uid}`],
    username,
    ...(slug && slug !== username && { aliases: [slug] }),
    email: textOf(fields['email']) || null,
    password: passwordOf(fields),
    display_name: full || username,
    ...names(full),
    ...some('short_description', textOf(fields['aboutme'])),
    ...some('location', textOf(fields['location'])),
    ...some('website', textOf(fields['website'])),
    ...picture(forum, 'avatar', fields['picture']),
    ...picture(forum, 'cover_photo', fields['cover:url']),
    status: isBanned(row, fields, forum.now) ? 'banned' : 'active',
    ...(row.admin ? { role: 'admin' } : row.moderator ? { role: 'moderator', managed_spaces: [...managed] } : {}),
    ...some('points', Math.max(0, numberOf(fields['reputation']) ?? 0) || null),
    ...(digest && { preferences: { digest_frequency: digest } }),
    ...(seen && { last_activity: seen }),
    created_at: datetimeOf(numberOf(fields['joindate'])) ?? seen ?? forum.earliest,
  }
}

/** A person whose registration awaits approval. */
const applicant = ({ earliest }: Forum, fields: Fields): Person => {
  const username = textOf(fields['username'])
  return {
    id: `registration:${username}`,
    username,
    email: textOf(fields['email']) || null,
    password: passwordOf(fields, 'hashedPassword'),
    status: 'pending',
    created_at: datetimeOf(numberOf(fields['timestamp'])) ?? earliest,
  }
}

const APPLICANTS = `select h._key, h.data, z.score from hash h
  left join zset z on z._key = 'registration:queue' and z.value = substr(h._key, 25)
  where h._key >= 'registration:queue:name:' and h._key < 'registration:queue:name;' order by h._key`

/** Spaces that global moderators could already read. Their role must not give access to more. */
const moderated = ({ spaces }: Forum): string[] =>
  spaces
    .filter(({ privacy, readers }) => privacy === 'public' || readers.groups.includes('Global Moderators'))
    .map(({ cid }) => spaceOfCategory(cid))

export function* readPeople(forum: Forum): Generator<Entry<'people'>> {
  const managed = moderated(forum)
  for (const row of forum.staging.rows<Row>(PEOPLE)) {
    const fields = jsonFields(row.data)
    if (fields) yield person(forum, row, fields, managed)
    else if (row.data === null) yield deletedPerson(forum, row.uid, row.since)
    else yield leftOut(String(row.uid), NO_DATA)
  }
  for (const { _key, data, score } of forum.staging.rows<{ _key: string; data: string; score: number | null }>(APPLICANTS)) {
    const fields = jsonFields(data)
    if (fields && textOf(fields['username'])) yield applicant(forum, { ...fields, timestamp: score })
    else yield leftOut(_key, NO_DATA)
  }
}

/** Counts people with profile values that are not imported. */
export const countHidden = (forum: Forum): Record<string, number> => {
  const counts = { 'full names that the forum hides': 0, signatures: 0, birthdays: 0 }
  for (const { data, settings } of forum.staging.rows<Row>(PEOPLE)) {
    const fields = jsonFields(data) ?? {}
    if (textOf(fields['fullname']) && !shownName(forum, fields, jsonFields(settings) ?? {})) counts['full names that the forum hides']++
    if (textOf(fields['signature'])) counts.signatures++
    if (textOf(fields['birthday'])) counts.birthdays++
  }
  return counts
}
