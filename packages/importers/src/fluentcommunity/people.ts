import { PROFILE_ADDRESSES } from '@lyceum/contract'
import type { ArchiveRecord } from '@lyceum/contract/archive'
import {
  type Account,
  accountOf,
  at,
  isArray,
  itemsAt,
  metaOf,
  networkPrefix,
  type PhpValue,
  readMeta,
  textAt,
  type UserRow,
} from '../wordpress/index.ts'
import { type Community, clean, countOf, type KindReader, noted, slugOf } from './community.ts'
import { pictureFields } from './media-files.ts'

type Person = ArchiveRecord<'people'>

export interface ProfileRow {
  readonly user_id: number
  readonly total_points: number | null
  readonly username: string | null
  readonly status: string | null
  readonly is_verified: number | null
  readonly display_name: string | null
  readonly avatar: string | null
  readonly short_description: string | null
  readonly last_activity: string | null
  readonly meta: string | null
  readonly created_at: string | null
  readonly updated_at: string | null
}

/** Statuses of accounts. Deactivated accounts have an empty one. */
const STATUSES: Readonly<Record<string, Person['status']>> = { active: 'active', pending: 'pending', blocked: 'banned', '': 'suspended' }

/** Social links. FluentCommunity stores a URL or a username for each site. */
const socialLinks = (meta: PhpValue): Record<string, string> => {
  const links = at(meta, 'social_links')
  if (!isArray(links)) return {}
  return Object.fromEntries(
    [...links.keys()].flatMap((site) => {
      const value = textAt(links, site)
      if (value === '') return []
      if (/^https?:\/\//i.test(value)) return [[site, value]]
      const start = PROFILE_ADDRESSES[site]
      return start && /^@?[^\s/@]+$/.test(value) ? [[site, start + encodeURIComponent(value.replace(/^@/, ''))]] : []
    }),
  )
}

const roleOf = (account: Account | null, community: readonly string[]): NonNullable<Person['role']> => {
  if (account?.roles.includes('administrator') || community.includes('admin')) return 'admin'
  return community.includes('moderator') ? 'moderator' : 'member'
}

/** Further names used in mentions and to sign in. */
const aliasesOf = (account: Account | null, username: string): string[] =>
  [...new Set([account?.nicename ?? '', account?.login ?? ''])].filter((name) => name !== '' && name.length <= 100 && name !== username)

const preferencesOf = ({ staging }: Community, id: number): Person['preferences'] => {
  const choices = new Map(
    Array.from(
      staging.rows<{ notification_type: string; is_read: number }>(
        'select notification_type, is_read from fcom_notification_users where user_id = ? order by id',
        id,
      ),
      ({ notification_type, is_read }) => [notification_type, is_read > 0] as const,
    ),
  )
  const email = {
    ...(choices.has('com_my_post_mail') && { new_comment: choices.get('com_my_post_mail') }),
    ...(choices.has('mention_mail') && { mention: choices.get('mention_mail') }),
  }
  const digest = choices.get('digest_mail')
  if (Object.keys(email).length === 0 && digest === undefined) return undefined
  return { email, ...(digest !== undefined && { digest_frequency: digest ? ('weekly' as const) : ('never' as const) }) }
}

const withText = (fields: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(fields).filter(([, text]) => text !== ''))

/** Builds a person from their account, profile or both. */
export const personOf = (community: Community, id: number, account: Account | null, profile: ProfileRow | null) => {
  const { value: meta, problem } = readMeta(profile?.meta ?? null)
  const communityRoles = itemsAt(
    readMeta(
      community.staging.get<{ value: string | null }>(
        "select value from fcom_meta where object_type = 'user' and object_id = ? and meta_key = '_user_community_roles'",
        id,
      )?.value ?? null,
    ).value,
  ).map(String)
  const username = clean(profile?.username).trim() || slugOf(account?.nicename ?? null) || account?.login || `member-${id}`
  const created = account?.registeredAt ?? community.created('fcom_xprofile', id, profile?.created_at ?? null)
  const updated = community.stamp.toUtc(profile?.updated_at)
  const lastActivity = community.zone.toUtc(profile?.last_activity)
  const preferences = preferencesOf(community, id)
  const links = socialLinks(meta)
  const record: Person = {
    id: String(id),
    urls: [
      `${community.portal}/u/${username}`,
      ...(account?.nicename ? [`${community.site.basePath}/author/${slugOf(account.nicename)}`] : []),
    ],
    username,
    aliases: aliasesOf(account, username),
    email: account?.email ?? null,
    password: account?.password ?? null,
    ...withText({
      display_name: clean(profile?.display_name).trim() || account?.displayName || '',
      first_name: account?.firstName ?? '',
      last_name: account?.lastName ?? '',
      short_description: clean(profile ? profile.short_description : account?.biography).trim(),
      website: textAt(meta, 'website') || account?.website || '',
    }),
    ...(Object.keys(links).length > 0 && { social_links: links }),
    ...pictureFields(community, 'avatar', profile?.avatar ?? null),
    ...pictureFields(community, 'cover_photo', textAt(meta, 'cover_photo')),
    is_verified: profile?.is_verified === 1,
    // Nobody can sign in to a deleted account.
    status: account === null ? 'suspended' : (STATUSES[profile?.status ?? 'active'] ?? 'suspended'),
    role: roleOf(account, communityRoles),
    points: Math.max(0, profile?.total_points ?? 0),
    ...(preferences && { preferences }),
    ...(lastActivity !== null && { last_activity: lastActivity }),
    created_at: created,
    ...(updated !== null && { updated_at: updated }),
  }
  const headline = textAt(meta, 'headline')
  const lost = communityRoles.filter((role) => role !== 'admin' && role !== 'moderator')
  const notes = [
    ...(account === null ? ['their account was deleted: their content is kept, but they cannot sign in'] : account.problems),
    ...(problem === null ? [] : [`their profile details were dropped, because they cannot be read: ${problem}`]),
    ...(headline === '' ? [] : [`their headline was dropped, because profiles have none: ${headline}`]),
    ...(lost.length > 0 && record.role !== 'admin' ? [`they lost the role ${lost.join(', ')}`] : []),
  ]
  return [record, ...notes.map((note) => noted(id, note))]
}

const ACCOUNTS = 'from users u'
/** SQL condition that excludes accounts of other sites in a multisite network. */
const inSite = ({ prefix }: Community): string =>
  networkPrefix(prefix) === prefix
    ? ''
    : ` where exists (select 1 from usermeta m where m.user_id = u.ID and m.meta_key = '${prefix.replaceAll("'", "''")}capabilities')
        or exists (select 1 from fcom_xprofile x where x.user_id = u.ID)`
const WITHOUT_ACCOUNT = `from fcom_xprofile x where x.user_id > 0 and not exists (select 1 from users u where u.ID = x.user_id)
  and not exists (select 1 from fcom_xprofile o where o.user_id = x.user_id and o.id < x.id)`

export const people: KindReader<'people'> = {
  table: 'users',
  count: (community) => countOf(community, ACCOUNTS + inSite(community)) + countOf(community, WITHOUT_ACCOUNT),
  read: function* (community) {
    const { staging, prefix } = community
    for (const user of staging.rows<UserRow & { readonly spam: number | null }>(`select * ${ACCOUNTS}${inSite(community)} order by u.ID`)) {
      const profile = staging.get<ProfileRow>('select * from fcom_xprofile where user_id = ? order by id limit 1', user.ID) ?? null
      const account = accountOf(user, metaOf(staging, user.ID), prefix)
      const [person, ...notes] = personOf(community, user.ID, account, profile) as [Person, ...ReturnType<typeof noted>[]]
      yield user.spam === 1 ? { ...person, status: 'banned' as const } : person
      yield* notes
    }
    for (const profile of staging.rows<ProfileRow>(`select * ${WITHOUT_ACCOUNT} order by x.user_id`))
      yield* personOf(community, profile.user_id, null, profile)
  },
}
