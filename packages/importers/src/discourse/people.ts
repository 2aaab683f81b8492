import type { ArchiveRecord } from '@lyceum/contract/archive'
import { datetimeFromText } from '../datetime.ts'
import type { Entry } from '../source.ts'
import { type Community, isTrue, spaceOfCategory } from './community.ts'
import { plainMarkdown } from './markdown.ts'

type Person = ArchiveRecord<'people'>

interface Row {
  readonly account: number
  readonly since: string | null
  /** Null if the account was deleted. */
  readonly id: number | null
  readonly username: string | null
  readonly name: string | null
  readonly created_at: string | null
  readonly last_seen_at: string | null
  readonly active: string | null
  readonly admin: string | null
  readonly moderator: string | null
  readonly approved: string | null
  readonly staged: string | null
  readonly suspended_till: string | null
  readonly silenced_till: string | null
  readonly hash: string | null
  readonly salt: string | null
  readonly algorithm: string | null
  readonly email: string | null
  readonly location: string | null
  readonly website: string | null
  readonly bio_raw: string | null
  readonly avatar: number | null
  readonly background: number | null
  readonly email_digests: string | null
  readonly digest_after_minutes: number | null
  readonly hidden: number
  readonly wrote: number
}

const PEOPLE = `select a.id as account, a.since, u.id, u.username, u.name, u.created_at, u.last_seen_at, u.active, u.admin, u.moderator, u.approved,
    u.staged, u.suspended_till, u.silenced_till, coalesce(s.password_hash, u.password_hash) as hash,
    coalesce(s.password_salt, u.salt) as salt, coalesce(s.password_algorithm, u.password_algorithm) as algorithm,
    (select email from user_emails where user_id = u.id order by "primary" = 't' desc, id limit 1) as email,
    p.location, p.website, p.bio_raw, p.profile_background_upload_id as background,
    case when u.uploaded_avatar_id in (select id from uploads) then u.uploaded_avatar_id end as avatar,
    o.email_digests, o.digest_after_minutes, coalesce(o.hide_profile, o.hide_profile_and_presence, 'f') = 't' as hidden,
    exists (select 1 from written w where w.user_id = a.id) as wrote
  from account a left join users u on u.id = a.id left join user_passwords s on s.user_id = u.id
  left join user_profiles p on p.user_id = u.id left join user_options o on o.user_id = u.id order by a.id`

/** Parameters of older hashes, from before Discourse stored them. */
const FORMER_PARAMETERS = '$pbkdf2-sha256$i=64000,l=32$'
const PARAMETERS = /^\$pbkdf2-sha256\$i=(\d{1,8}),l=32\$$/
/** Suspensions that end later than this are permanent: Discourse has no other way to store these. */
const FOREVER_YEARS = 10

const passwordOf = ({ hash, salt, algorithm }: Row): string | null => {
  const iterations = PARAMETERS.exec(algorithm || FORMER_PARAMETERS)?.[1]
  return iterations && hash && /^[0-9a-f]{64}$/i.test(hash) && salt && /^[0-9a-z]+$/i.test(salt)
    ? `pbkdf2-sha256$${iterations}$${salt}$${hash.toLowerCase()}`
    : null
}

const later = (now: string, years: number) => `${Number(now.slice(0, 4)) + years}${now.slice(4)}`

const statusOf = ({ now }: Community, row: Row, mustApprove: boolean): Person['status'] => {
  const suspended = datetimeFromText(row.suspended_till) ?? (row.suspended_till ? later(now, 1000) : '')
  if (suspended > later(now, FOREVER_YEARS)) return 'banned'
  if (suspended > now) return 'suspended'
  if (mustApprove && row.approved === 'f' && row.staged !== 't') return 'pending'
  // Unconfirmed accounts have no posts; inactive accounts with posts were deactivated. Staged accounts belong to people who wrote by email.
  if (row.active === 'f' && row.staged !== 't' && row.account > 0) return row.wrote ? 'suspended' : 'unverified'
  return 'active'
}

const DAILY = 1440

const digestOf = ({ email_digests, digest_after_minutes }: Row): Partial<Person> => {
  if (email_digests === 'f') return { preferences: { digest_frequency: 'never' } }
  if (email_digests === null || digest_after_minutes === null) return {}
  return { preferences: { digest_frequency: digest_after_minutes <= DAILY ? 'daily' : 'weekly' } }
}

const names = (full: string): Partial<Person> => {
  const [first = '', ...rest] = full.split(/\s+/)
  return { ...(first && { first_name: first }), ...(rest.length > 0 && { last_name: rest.join(' ') }) }
}

const deletedPerson = ({ earliest }: Community, { account, since }: Row): Person => ({
  id: String(account),
  username: `former-member-${account}`,
  email: null,
  password: null,
  status: 'deleted',
  created_at: datetimeFromText(since) ?? earliest,
})

/** Anonymized accounts have a replacement email address. */
const isAnonymized = ({ email }: Row) => email?.endsWith('@anonymized.invalid') === true

const person = (community: Community, row: Row, managed: readonly string[], mustApprove: boolean): Person => {
  const { base, earliest } = community
  const username = row.username ?? `user-${row.account}`
  const full = row.name?.trim() ?? ''
  const [bio, location, website] = [plainMarkdown(row.bio_raw ?? ''), row.location?.trim(), row.website?.trim()]
  const seen = datetimeFromText(row.last_seen_at)
  return {
    id: String(row.account),
    urls: [`${base}/u/${username}`, ...(username === username.toLowerCase() ? [] : [`${base}/u/${username.toLowerCase()}`])],
    username,
    email: row.email?.trim() || null,
    password: passwordOf(row),
    display_name: full || username,
    ...names(full),
    ...(bio && { short_description: bio }),
    ...(location && { location }),
    ...(website && { website }),
    ...(row.avatar !== null && { avatar: String(row.avatar) }),
    ...(row.background !== null && { cover_photo: String(row.background) }),
    ...(row.hidden && { is_private: true }),
    status: statusOf(community, row, mustApprove),
    ...(isTrue(row.admin) && row.account > 0
      ? { role: 'admin' }
      : isTrue(row.moderator) && row.account > 0
        ? { role: 'moderator', managed_spaces: [...managed] }
        : {}),
    ...digestOf(row),
    ...(seen && { last_activity: seen }),
    created_at: datetimeFromText(row.created_at) ?? earliest,
  }
}

/** Ids of the automatic groups `moderators` and `staff`. */
const MODERATORS = 2
const STAFF = 3

/** Spaces that moderators could already read. Their role must not give access to more. */
const moderated = ({ categories }: Community): string[] =>
  [...categories.values()]
    .filter(({ readers }) => readers === null || readers.has(MODERATORS) || readers.has(STAFF))
    .map(({ id }) => spaceOfCategory(id))

export function* readPeople(community: Community): Generator<Entry<'people'>> {
  const { staging, now } = community
  const managed = moderated(community)
  const mustApprove = staging.get(`select 1 from site_settings where name = 'must_approve_users' and value = 't'`) !== undefined
  for (const row of staging.rows<Row>(PEOPLE)) {
    if (row.id === null || isAnonymized(row)) {
      yield deletedPerson(community, row)
      continue
    }
    const silenced = datetimeFromText(row.silenced_till) ?? ''
    if (silenced > now)
      yield {
        unreadable: { id: String(row.id), reason: `they were silenced until ${silenced}, but can post in Lyceum`, outcome: 'noted' },
      }
    if (isTrue(row.staged))
      yield { unreadable: { id: String(row.id), reason: 'they wrote by email and never registered', outcome: 'noted' } }
    yield person(community, row, managed, mustApprove)
  }
}
