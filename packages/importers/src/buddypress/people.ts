import type { ArchiveRecord } from '@lyceum/contract/archive'
import type { Entry } from '../source.ts'
import { broken, noted } from '../unreadable.ts'
import { type Account, accountOf, isArray, metaOf, readMeta, type UserRow } from '../wordpress/index.ts'
import type { Context } from './context.ts'
import { type Profile, type ProfileField, type ProfileValue, profileOf } from './profile.ts'
import { personUrls, type Site } from './site.ts'
import { plainText } from './text.ts'
import { validTime } from './times.ts'

type Person = ArchiveRecord<'people'>

export interface PersonRow extends UserRow {
  /** 1 for spammers, 2 before the registration is confirmed. */
  readonly user_status: number | null
  /** Spammer and deleted flags of multisite networks. */
  readonly spam: number | null
  readonly deleted: number | null
  readonly last_active: string | null
  /** BuddyBoss: whether moderators suspended the account. */
  readonly suspended: number
  /** Whether the person has posts only for friends, so that followers need approval. */
  readonly is_private: number
  readonly has_avatar: number
  readonly has_cover: number
  /** Whether another person's profile slug equals this login. */
  readonly login_is_taken: number
}

const statusOf = ({ user_status, spam, deleted, suspended }: PersonRow): Person['status'] => {
  if (user_status === 1 || spam) return 'banned'
  if (suspended || deleted) return 'suspended'
  return user_status === 2 ? 'unverified' : 'active'
}

/** The display name without names that are hidden from some members. */
const displayName = (account: Account, profile: Profile): string => {
  const name = plainText(profile.display_name ?? account.displayName).replace(/\s+/g, ' ')
  const words = name.toLowerCase().split(' ')
  const isHidden = (hidden: string) =>
    hidden
      .toLowerCase()
      .split(' ')
      .some((word) => words.includes(word))
  if (name !== '' && !profile.hiddenNames.some(isHidden)) return name
  const visible = [profile.first_name, profile.last_name].filter((part) => part !== undefined).join(' ')
  return visible || (profile.nickname ?? account.nicename)
}

/** First and last name. WordPress shows those of the account only as part of the display name. */
const namesOf = (account: Account, profile: Profile, shown: string): Pick<Person, 'first_name' | 'last_name'> => {
  const own = account.firstName !== '' && shown.includes(account.firstName) ? account.firstName : ''
  // BuddyBoss copies the full name to the first name of accounts that it did not register.
  const isWhole = own !== '' && profile.first_name === `${own} ${account.lastName}`
  const first_name = isWhole ? own : (profile.first_name ?? own)
  const last_name = profile.last_name ?? (shown.includes(account.lastName) ? account.lastName : '')
  return { ...(first_name && { first_name }), ...(last_name && { last_name }) }
}

const isSite = (address: string, { origins }: Site) => origins.some((origin) => address.replace(/\/+$/, '').startsWith(origin))

/** `others`: further names used in profile URLs and mentions. */
export const personOf = (row: PersonRow, account: Account, profile: Profile, others: readonly string[], site: Site): Entry<'people'>[] => {
  const { id, login, nicename, email, password } = account
  const username = nicename || login
  if (username === '') return [broken(id, 'it has no name')]
  const names = [...new Set([nicename, ...others, ...(row.login_is_taken ? [] : [login])])].filter((name) => name !== '')
  const shown = displayName(account, profile)
  const website = profile.website ?? (isSite(account.website, site) ? '' : account.website)
  const last = validTime(row.last_active)
  const record: Person = {
    id,
    urls: personUrls(site, id, names),
    username,
    aliases: names,
    email,
    password,
    display_name: shown,
    ...namesOf(account, profile, shown),
    ...(profile.short_description && { short_description: profile.short_description }),
    ...(profile.location && { location: profile.location }),
    ...(website && { website }),
    ...(profile.social_links && { social_links: profile.social_links }),
    ...(row.has_avatar && { avatar: `avatar:${id}` }),
    ...(row.has_cover && { cover_photo: `cover:${id}` }),
    ...(row.is_private && { is_private: true }),
    status: statusOf(row),
    role: account.roles.includes('administrator') ? 'admin' : 'member',
    ...(last && { last_activity: last }),
    created_at: account.registeredAt ?? last ?? site.founded,
  }
  return [record, ...account.problems.map((problem) => noted(id, problem))]
}

// ---- reading ---------------------------------------------------------------------------------------------------------

const fieldMeta = (key: string) =>
  `(select meta_value from bp_xprofile_meta m where m.object_type = 'field' and m.object_id = f.id and m.meta_key = '${key}' limit 1)`

interface FieldRow extends Omit<ProfileField, 'part' | 'visibility' | 'mayChoose' | 'dateFormat'> {
  readonly visibility: string | null
  readonly choice: string | null
  readonly original: string | null
  readonly date_format: string | null
  readonly custom_format: string | null
}

const FIELDS = `select f.id, coalesce(f.type, '') as type, coalesce(f.name, '') as name, ${fieldMeta('default_visibility')} as visibility,
  ${fieldMeta('allow_custom_visibility')} as choice, ${fieldMeta('_cloned_field_id')} as original, ${fieldMeta('date_format')} as date_format,
  ${fieldMeta('date_format_custom')} as custom_format
  from bp_xprofile_fields f left join bp_xprofile_groups g on g.id = f.group_id
  where coalesce(f.parent_id, 0) = 0 or f.type <> 'option' order by coalesce(g.group_order, 0), f.group_id, f.field_order, f.id`

const OPTION = 'select option_value as value from options where option_name = ?'

/** Profile fields in display order. */
export const readFields = ({ staging }: Pick<Context, 'staging'>): Map<number, ProfileField> => {
  const option = (name: string) => staging.get<{ value: string | null }>(OPTION, name)?.value ?? ''
  const parts = new Map<string, ProfileField['part']>()
  for (const [part, key] of [
    ['first_name', 'firstname'],
    ['last_name', 'lastname'],
    ['nickname', 'nickname'],
  ] as const)
    if (option(`bp-xprofile-${key}-field-id`)) parts.set(option(`bp-xprofile-${key}-field-id`), part)
  const isBuddyBoss = parts.size > 0
  const fullName = option('bp-xprofile-fullname-field-name')
  const rows = [...staging.rows<FieldRow>(FIELDS)]
  const byId = new Map(rows.map((row) => [String(row.id), row]))
  return new Map(
    rows.map((row) => {
      // Copies of repeated fields use the settings of the original field.
      const { id, visibility, choice, date_format, custom_format } = byId.get(row.original ?? '') ?? row
      const isName = !isBuddyBoss && (fullName === '' ? row.id === 1 : row.name === fullName)
      return [
        row.id,
        {
          id: row.id,
          type: row.type,
          name: row.name,
          part: parts.get(String(id)) ?? (isName ? 'name' : null),
          visibility: visibility ?? 'public',
          mayChoose: choice !== 'disabled',
          dateFormat: (date_format === 'custom' ? custom_format : date_format) || 'Y-m-d',
        } satisfies ProfileField,
      ]
    }),
  )
}

const VALUES = 'select field_id, value from bp_xprofile_data where user_id = ? order by id'
const CHOICES = 'select field_id, value from bb_xprofile_visibility where user_id = ?'

/** The visibility levels that a person chose per field; `problem` if they cannot be read. */
const choicesOf = ({ staging }: Pick<Context, 'staging'>, user: number, levels: string | null) => {
  const { value, problem } = readMeta(levels)
  const chosen = isArray(value) ? [...value].map(([field, level]) => [Number(field), String(level)] as const) : []
  const rows = staging.rows<{ field_id: number; value: string | null }>(CHOICES, user)
  return { choices: new Map([...chosen, ...Array.from(rows, (row) => [row.field_id, row.value ?? ''] as const)]), problem }
}

/**
 * The values of a person in the order of the fields. Of two values of a field, the newer is used. If the chosen visibility cannot be read,
 * all values that they could have hidden are withheld, except their name.
 */
const valuesOf = (
  { staging }: Pick<Context, 'staging'>,
  fields: ReadonlyMap<number, ProfileField>,
  user: number,
  levels: string | null,
) => {
  const rows = staging.rows<{ field_id: number; value: string | null }>(VALUES, user)
  const found = new Map(Array.from(rows, ({ field_id, value }) => [field_id, value ?? '']))
  const { choices, problem } = choicesOf({ staging }, user, levels)
  const values = [...fields.values()].flatMap((field): ProfileValue[] => {
    const value = found.get(field.id)
    const chosen = choices.get(field.id) ?? (problem !== null && field.part === null ? 'unknown' : undefined)
    return value === undefined ? [] : [{ field, value, chosen }]
  })
  return { values, problem }
}

const LEVELS = 'bp_xprofile_visibility_levels'

/** Number of profile values withheld because they are not visible to all members. */
export const hiddenValues = (context: Pick<Context, 'staging'>): number => {
  const fields = readFields(context)
  let hidden = 0
  for (const { ID } of context.staging.rows<{ ID: number }>('select ID from users order by ID'))
    hidden += profileOf(valuesOf(context, fields, ID, metaOf(context.staging, ID).get(LEVELS) ?? null).values).withheld
  return hidden
}

const PEOPLE = `select u.*, coalesce((select max(a.date_recorded) from bp_activity a where a.type = 'last_activity' and a.user_id = u.ID),
    (select meta_value from usermeta m where m.user_id = u.ID and m.meta_key = 'last_activity' limit 1)) as last_active,
  exists (select 1 from bp_suspend s where s.item_type = 'user' and s.item_id = u.ID and s.user_suspended = 1) as suspended,
  exists (select 1 from private_person p where p.id = u.ID) as is_private,
  exists (select 1 from pictures p where p.id = 'avatar:' || u.ID) as has_avatar,
  exists (select 1 from pictures p where p.id = 'cover:' || u.ID) as has_cover,
  exists (select 1 from users o where o.user_nicename = lower(u.user_login) and o.ID <> u.ID) as login_is_taken
  from users u order by u.ID`

export function* readPeople(context: Context): Generator<Entry<'people'>> {
  const { staging, site, prefix } = context
  const fields = readFields(context)
  for (const row of staging.rows<PersonRow>(PEOPLE)) {
    const meta = metaOf(staging, row.ID)
    const account = accountOf(row, meta, prefix)
    const { values, problem } = valuesOf(context, fields, row.ID, meta.get(LEVELS) ?? null)
    const profile = profileOf(values, account.biography)
    const others = [meta.get('nickname'), meta.get('bb_profile_slug'), profile.nickname].flatMap((name) =>
      name && /^[^\s/@]+$/.test(name) && !isName(context, name, row.ID) ? [name] : [],
    )
    yield* personOf(row, account, profile, others, site)
    if (problem !== null)
      yield noted(account.id, `its profile visibility settings cannot be read, so the profile fields were skipped: ${problem}`)
  }
}

const NAMED = 'select 1 as found from users where user_nicename = ? and ID <> ?'

/** Whether another person's URLs and mentions use this name. */
const isName = ({ staging }: Pick<Context, 'staging'>, name: string, user: number) =>
  staging.get(NAMED, name.toLowerCase(), user) !== undefined
