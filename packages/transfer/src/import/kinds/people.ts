import {
  BIO_BYTES,
  DEFAULT_PERMISSIONS,
  DISPLAY_NAME_LENGTH,
  LINK_PROVIDERS,
  LOCATION_LENGTH,
  MAIL_TYPES,
  PUSH_TYPES,
} from '@lyceum/contract'
import type { ArchiveRecord } from '@lyceum/contract/archive'
import { batchStatement, NAME_COLUMNS, nameRows, replaceUserNames, updateRows, type Value } from '../../../../server/src/db/index.ts'
import { cleanName, DELETED_DOMAIN, newEmail } from '../../../../server/src/modules/accounts/validation.ts'
import type { Item } from '../batches.ts'
import type { Decision, KindWriter } from '../import-kind.ts'
import type { Run } from '../run.ts'
import { findReferences } from '../texts/scan.ts'
import { findErased } from './authors.ts'
import { freeUsernames } from './names.ts'
import { accepted, cutBytes, flag, notAfter, titleOf, urlOf } from './values.ts'

type Person = ArchiveRecord<'people'>

const PROFILE = [
  ...['display_name', 'first_name', 'last_name', 'short_description', 'location', 'website', 'lang', 'social_links', 'badge_slugs'],
  ...['is_verified', 'is_private', 'status', 'avatar', 'cover_photo'],
]
export const PEOPLE_GUARDED = { table: 'users', columns: PROFILE }

interface PersonDecision extends Decision<'people'> {
  readonly id: number
  readonly guarded: readonly Value[] | null
  /** Null: the person maps to an existing account. */
  readonly account: { readonly username: string; readonly email: string; readonly passwordHash: string | null } | null
}

const existing = batchStatement<{ email: string; id: number; username: string; status: string }>(
  { email: 'text' },
  (rows) => `select u.email, u.id, u.username, u.status from ${rows} d cross join users u where u.email = d.email`,
)
const pictures = batchStatement<{ id: number; avatar: string; cover_photo: string; username: string; email: string }>(
  { id: 'bigint' },
  (rows) => `select u.id, u.avatar, u.cover_photo, u.username, u.email from ${rows} d cross join users u where u.id = d.id`,
)

/** An invalid address, so that no mail is sent to it and nobody can sign in with it. */
const noAddress = (run: Run, { id }: ArchiveRecord<'people'>): string => `~no-address-${run.derived.code('address', 'people', id)}`

const linksOf = (links: Readonly<Record<string, unknown>> | undefined, notes: string[]): string => {
  const kept: Record<string, string> = {}
  for (const [site, value] of Object.entries(links ?? {}).sort(([a], [b]) => (a < b ? -1 : 1))) {
    const url = typeof value === 'string' ? urlOf(value) : ''
    if (url && (LINK_PROVIDERS as readonly string[]).includes(site)) kept[site] = url
    else if (value) notes.push(`its link to ${site} was dropped: it is not a URL, or the site is not supported`)
  }
  return JSON.stringify(kept)
}

const BLANK: Readonly<Record<string, Value>> = {
  ...{ display_name: 'Deleted member', first_name: '', last_name: '', short_description: '', location: '', website: '', lang: '' },
  ...{ social_links: '{}', badge_slugs: '[]', is_verified: 0, is_private: 0, status: 'deleted', avatar: '', cover_photo: '' },
}

const name = (text: string | undefined): string =>
  accepted(() => cleanName(text ?? '')) ?? [...cleanName(titleOf(text, DISPLAY_NAME_LENGTH))].slice(0, DISPLAY_NAME_LENGTH).join('')

/** Profile columns, without pictures. */
const profileOf = (person: Person, username: string, notes: string[]): Record<string, Value> => {
  if (person.status === 'deleted') return { ...BLANK }
  const website = urlOf(person.website)
  if (person.website?.trim() && !website) notes.push('its website was dropped: it is not a URL')
  const bio = cutBytes(person.short_description ?? '', BIO_BYTES)
  if (bio !== (person.short_description ?? '')) notes.push(`its description was truncated to ${BIO_BYTES} bytes`)
  return {
    display_name: name(person.display_name) || username,
    first_name: name(person.first_name),
    last_name: name(person.last_name),
    short_description: bio,
    location: titleOf(person.location, LOCATION_LENGTH),
    website,
    lang: person.lang ?? '',
    social_links: linksOf(person.social_links, notes),
    badge_slugs: JSON.stringify(person.badges ?? []),
    is_verified: flag(person.is_verified),
    is_private: flag(person.is_private),
    // A registration at the source cannot be confirmed in this community.
    status: person.status === 'unverified' ? 'pending' : person.status,
    avatar: urlOf(person.avatar_url),
    cover_photo: urlOf(person.cover_photo_url),
  }
}

const guardedOf = (profile: Readonly<Record<string, Value>>): Value[] => PROFILE.map((column) => profile[column] ?? null)

/** Whether the profile needs data imported after the people: files, spaces, and URLs in the description. */
const needsMore = ({ addresses }: Run, person: Person): boolean => {
  if (person.status === 'deleted') return false
  const { addresses: own, names } = findReferences(person.short_description ?? '', addresses.isOwn)
  return Boolean(person.avatar || person.cover_photo || person.managed_spaces) || own.length + names.length > 0
}

const emailOf = ({ email, status }: Person, notes: string[]): string | null => {
  if (status === 'deleted' || email === null || email.trim() === '') return null
  const address = accepted(() => newEmail(email))
  if (address === undefined) notes.push('its email address was dropped: it is not valid')
  return address ?? null
}

/** The account with an email address: its id, or its index among the new accounts. */
type Owner = { readonly username: string } & ({ readonly id: number } | { readonly place: number })

const decideNew = async (
  run: Run,
  items: readonly Item<'people'>[],
  settle: Parameters<KindWriter<'people', PersonDecision>['decide']>[2],
) => {
  const decided: PersonDecision[] = []
  /** People with the email address of an earlier person of the batch, whose index is `place`. */
  const twins: { readonly item: Item<'people'>; readonly place: number }[] = []
  const erased = await findErased(
    run,
    items.map(({ record }) => record.id),
  )
  const emails = new Map(items.map(({ record, notes }) => [record.id, emailOf(record, notes)]))
  const rows = await existing(run.services.database.read, [...new Set([...emails.values()].filter((one) => one !== null))])
  const owners = new Map<string, Owner>(rows.map((row) => [row.email, row]))
  const merged = await run.find(
    'people',
    [...emails.values()].flatMap((email) => (email === null ? [] : [emailKey(email)])),
  )
  const fresh: Item<'people'>[] = []
  for (const item of items) {
    const { record } = item
    const mapped = run.mapping.person(record.id)
    const email = emails.get(record.id) ?? null
    const owner = email === null ? undefined : (owners.get(email) ?? merged.get(emailKey(email)))
    if (erased.has(record.id)) settle(item, 'skipped', 'they deleted their account in this community')
    else if (mapped !== undefined) decided.push({ item, id: mapped, guarded: null, account: null })
    else if (owner) {
      item.notes.push(`it was merged into the account ${owner.username}, which has the same email address`)
      if ('place' in owner) twins.push({ item, place: owner.place })
      else decided.push({ item, id: owner.id, guarded: null, account: null })
    } else {
      if (email !== null) owners.set(email, { place: fresh.length, username: record.username })
      fresh.push(item)
    }
  }
  const ids = await run.ids.take('users', fresh.length)
  const usernames = await freeUsernames(
    run,
    fresh.map(({ record }, i) => ({
      username: record.status === 'deleted' ? `former-${ids[i]}` : record.username,
      displayName: record.display_name ?? '',
      isOfficial: (record.role ?? 'member') !== 'member',
    })),
  )
  for (const [i, item] of fresh.entries()) {
    const id = ids[i] as number
    const { record, notes } = item
    const isDeleted = record.status === 'deleted'
    const username = isDeleted ? `deleted-${id}` : (usernames[i] as string)
    const email = emails.get(record.id) ?? null
    if (!isDeleted && username !== record.username.trim().toLowerCase()) notes.push(`its username was changed to ${username}`)
    if (email !== null) run.memory.put('people', emailKey(email), { id, username, status: 'active' })
    decided.push({
      item,
      id,
      guarded: guardedOf(profileOf(record, username, notes)),
      unresolved: needsMore(run, record),
      account: {
        username,
        email: email ?? (isDeleted ? `${username}@${DELETED_DOMAIN}` : noAddress(run, record)),
        passwordHash: isDeleted ? null : (record.password ?? null),
      },
    })
  }
  return [...decided, ...twins.map(({ item, place }) => ({ item, id: ids[place] as number, guarded: null, account: null }))]
}

/** Key of an account by email address in the import's memory. */
const emailKey = (email: string): string => `~${email}`

const decideChanged = async (run: Run, items: readonly Item<'people'>[]): Promise<PersonDecision[]> => {
  const rows = await pictures(
    run.services.database.read,
    items.map(({ known }) => known?.local_id ?? 0),
  )
  const byId = new Map(rows.map((row) => [row.id, row]))
  return items.flatMap((item) => {
    const row = byId.get(item.known?.local_id ?? 0)
    if (!row) return []
    const { record } = item
    const email = emailOf(record, [])
    const profile = profileOf(record, row.username, item.notes)
    const kept: Record<string, Value> = record.avatar || record.cover_photo ? { avatar: row.avatar, cover_photo: row.cover_photo } : {}
    return [
      {
        item,
        id: row.id,
        guarded: guardedOf({ ...profile, ...kept }),
        unresolved: needsMore(run, record),
        account: {
          username: row.username,
          email: email ?? row.email,
          passwordHash: record.status === 'deleted' ? null : (record.password ?? null),
        },
      },
    ]
  })
}

const USER = ['id', 'username', 'email', 'password_hash', ...PROFILE, 'created_at', 'updated_at', 'last_activity']
const MANAGER = ['user_id', 'role', 'permissions', 'all_spaces', 'status', 'created_at', 'updated_at']

/** `fingerprint` distinguishes aliases from usernames. */
const namesInto = (fingerprint: '' | 'alias', onConflict: string) =>
  batchStatement(
    { name: 'text', id: 'bigint' },
    (rows) => `insert into import_map (source, kind, foreign_id, local_id, hash, fingerprint)
      select $2, 'names', d.name, d.id, '', '${fingerprint}' from ${rows} d where 1 = 1 on conflict (source, kind, foreign_id) ${onConflict}`,
  )
const insertAliases = namesInto('alias', 'do nothing')
/** A username takes precedence over an equal alias. */
const insertUsernames = namesInto('', `do update set local_id = excluded.local_id, fingerprint = '' where import_map.fingerprint = 'alias'`)

/** Stores logins that equal another member's username. Members can sign in with them, but mentions do not resolve to them. */
const keepLogins = (whose: string, losers = '') =>
  batchStatement(
    { name: 'text', id: 'bigint' },
    (rows) => `insert into import_map (source, kind, foreign_id, local_id, hash, fingerprint)
      select $2, 'names', d.name || cast($3 as text), ${whose}, '', 'login' from ${rows} d cross join import_map m
      where m.source = $2 and m.kind = 'names' and m.foreign_id = d.name and m.local_id <> d.id ${losers} on conflict do nothing`,
  )
const keepBefore = keepLogins('m.local_id', `and m.fingerprint = 'alias'`)
const keepAfter = keepLogins('d.id')
/** Marks logins; names never contain it. */
const LOGIN = '\n'

/** Lowercase names that mentions in source texts use. */
const namesIn = (decided: readonly PersonDecision[], of: (person: Person) => readonly string[]): [string, number][] => {
  const names = new Map<string, number>()
  for (const { id, item } of decided)
    for (const one of item.record.status === 'deleted' ? [] : of(item.record)) {
      const name = one.trim().toLowerCase()
      if (name !== '' && name.length <= 100 && !names.has(name)) names.set(name, id)
    }
  return [...names]
}

const choices = (names: readonly string[], given: Readonly<Record<string, unknown>> | undefined): string =>
  JSON.stringify(Object.fromEntries(names.flatMap((key) => (typeof given?.[key] === 'boolean' ? [[key, given[key]]] : []))))

const preferencesRow = (id: number, { preferences, updated_at, created_at }: Person): Value[][] =>
  preferences === undefined
    ? []
    : [
        [
          id,
          choices(MAIL_TYPES, preferences.email),
          choices(PUSH_TYPES, preferences.push),
          preferences.digest_frequency ?? null,
          updated_at ?? created_at,
        ],
      ]

const managerRow = (id: number, { role = 'member', permissions, managed_spaces, role_paused, created_at }: Person): Value[][] =>
  role === 'member'
    ? []
    : [
        [
          id,
          role,
          JSON.stringify(permissions ?? DEFAULT_PERMISSIONS[role]),
          // Spaces are imported later. Until then, a manager of specific spaces manages none.
          flag(!managed_spaces),
          role_paused ? 'inactive' : 'active',
          created_at,
          created_at,
        ],
      ]

const addNames = async (
  run: Run,
  slice: Parameters<KindWriter<'people', PersonDecision>['insert']>[1],
  decided: readonly PersonDecision[],
) => {
  const usernames = namesIn(decided, ({ username }) => [username])
  const aliases = namesIn(decided, ({ aliases = [] }) => aliases)
  await keepBefore(slice.db, usernames, [run.name, LOGIN])
  await insertUsernames(slice.db, usernames, [run.name])
  await insertAliases(slice.db, aliases, [run.name])
  await keepAfter(slice.db, aliases, [run.name, LOGIN])
  for (const { id, item } of decided) slice.redirect('people', id, item.record.urls)
}

/** SQL condition: the password was not set or verified in this community, so it may be replaced. */
const isForeign = `password_hash is null or password_hash not like '$scrypt$%'`

export const people: KindWriter<'people', PersonDecision> = {
  kind: 'people',
  guarded: PEOPLE_GUARDED,
  decide: async (run, items, settle) => {
    const decided = [
      ...(await decideNew(
        run,
        items.filter(({ known }) => known === undefined),
        settle,
      )),
      ...(await decideChanged(
        run,
        items.filter(({ known }) => known !== undefined),
      )),
    ]
    for (const { item, id, account } of decided) {
      const username = account?.username ?? ''
      run.memory.put('people', item.record.id, { id, username, status: item.record.status === 'deleted' ? 'deleted' : 'active' })
    }
    return decided
  },
  insert: async (run, slice, decided) => {
    const created = decided.filter((one) => one.account !== null && one.guarded !== null)
    await slice.add(
      'users',
      USER,
      created.map(({ id, guarded, account, item: { record } }) => {
        const at = notAfter(run.now, record.created_at)
        const seen = record.last_activity ? notAfter(run.now, record.last_activity) : null
        return [
          id,
          account?.username ?? '',
          account?.email ?? '',
          account?.passwordHash ?? null,
          ...(guarded ?? []),
          at,
          record.updated_at ?? at,
          seen,
        ]
      }),
    )
    const living = created.filter(({ item }) => item.record.status !== 'deleted')
    await slice.add(
      'user_name_tokens',
      NAME_COLUMNS,
      living.flatMap(({ id, guarded, account }) =>
        nameRows(id, { username: account?.username ?? '', displayName: String(guarded?.[0] ?? '') }),
      ),
    )
    await slice.add(
      'managers',
      MANAGER,
      living.flatMap(({ id, item }) => managerRow(id, item.record)),
    )
    await slice.add(
      'notification_preferences',
      ['user_id', 'email', 'push', 'digest_frequency', 'updated_at'],
      living.flatMap(({ id, item }) => preferencesRow(id, item.record)),
    )
    await addNames(run, slice, decided)
  },
  update: async (run, slice, decided) => {
    const { db } = slice
    await updateRows(
      db,
      'users',
      { id: 'bigint', ...Object.fromEntries(PROFILE.map((column) => [column, column.startsWith('is_') ? 'bigint' : 'text'] as const)) },
      PROFILE.map((column) => `${column} = d.${column}`).join(', '),
      'users.id = d.id',
      decided.map(({ id, guarded }) => [id, ...(guarded ?? [])]),
    )
    await updateRows(
      db,
      'users',
      { id: 'bigint', hash: 'text' },
      'password_hash = d.hash',
      `users.id = d.id and (${isForeign})`,
      decided.flatMap(({ id, account }) => (account?.passwordHash ? [[id, account.passwordHash]] : [])),
    )
    await updateRows(
      db,
      'users',
      { id: 'bigint', email: 'text' },
      'email = d.email',
      'users.id = d.id and not exists (select 1 from users o where o.email = d.email)',
      decided.flatMap(({ id, account }) => (account?.email.includes('@') ? [[id, account.email]] : [])),
    )
    for (const { id, guarded, account } of decided)
      await replaceUserNames(db, id, { username: account?.username ?? '', displayName: String(guarded?.[0] ?? '') })
    await addNames(run, slice, decided)
  },
}
