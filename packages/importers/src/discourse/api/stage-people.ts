import {
  type GroupAnswer,
  type GroupsAnswer,
  itemsOf,
  type ListedUser,
  type MembersAnswer,
  type SettingsAnswer,
  type UserAnswer,
} from './answers.ts'
import type { SiteApi } from './site-api.ts'
import type { Stager } from './stager.ts'

const MEMBERS_AT_ONCE = 100

/** An account mentioned in posts. */
export interface Seen {
  readonly id: number
  readonly username?: string | undefined
  readonly name?: string | null | undefined
  readonly avatar_template?: string | undefined
  readonly admin?: boolean | undefined
  readonly moderator?: boolean | undefined
}

/** The URL of an avatar; null for generated letter avatars. */
const pictureOf = (template: string | undefined): string | null =>
  template && !template.includes('letter_avatar') ? template.replace('{size}', '240') : null

/** Reads all accounts with their email addresses. Only administrators can list them. */
const stageListed = async (api: SiteApi, known: Map<number, ListedUser>): Promise<void> => {
  for (let page = 1; ; page++) {
    const users = await api.get<readonly ListedUser[]>(`/admin/users/list/all.json?order=created&asc=true&show_emails=true&page=${page}`)
    if (!users) return
    const before = known.size
    for (const user of itemsOf(users)) known.set(user.id, user)
    if (users.length === 0 || known.size === before) return
  }
}

/** Copies the accounts found in posts and in the administrator's list, with their profiles. */
export const stagePeople = async (api: SiteApi, stager: Stager, seen: ReadonlyMap<number, Seen>): Promise<void> => {
  const listed = new Map<number, ListedUser>()
  if (api.isAdministrator) {
    await stageListed(api, listed)
    const settings = await api.get<SettingsAnswer>('/site/settings.json')
    if (settings?.must_approve_users) stager.add('site_settings', { id: 1, name: 'must_approve_users', value: 't' })
  }
  for (const id of [...new Set([...listed.keys(), ...seen.keys()])].sort((a, b) => a - b)) {
    const [user, author] = [listed.get(id), seen.get(id)]
    const username = user?.username ?? author?.username
    if (!username) continue
    const profile = (await api.get<UserAnswer>(`/u/${encodeURIComponent(username)}.json`))?.user
    const picture = pictureOf(user?.avatar_template ?? author?.avatar_template)
    stager.add('users', {
      id,
      username,
      name: user?.name ?? author?.name,
      created_at: profile?.created_at ?? user?.created_at,
      last_seen_at: profile?.last_seen_at ?? user?.last_seen_at,
      active: user?.active ?? true,
      admin: user?.admin ?? author?.admin ?? false,
      moderator: user?.moderator ?? author?.moderator ?? false,
      approved: user?.approved ?? true,
      staged: user?.staged ?? false,
      suspended_till: user?.suspended_till ?? profile?.suspended_till,
      silenced_till: user?.silenced_till,
      uploaded_avatar_id: picture === null ? null : stager.picture(picture),
    })
    if (user?.email) stager.add('user_emails', { id, user_id: id, email: user.email, primary: true })
    stager.add('user_profiles', { user_id: id, bio_raw: profile?.bio_raw, location: profile?.location, website: profile?.website })
    if (profile?.profile_hidden) stager.add('user_options', { user_id: id, hide_profile: true })
  }
}

const stageMembers = async (api: SiteApi, stager: Stager, group: GroupAnswer): Promise<void> => {
  for (let offset = 0; ; offset += MEMBERS_AT_ONCE) {
    const answer = await api.get<MembersAnswer>(
      `/groups/${encodeURIComponent(group.name)}/members.json?limit=${MEMBERS_AT_ONCE}&offset=${offset}`,
    )
    const members = itemsOf(answer?.members)
    const owners = new Set(itemsOf(answer?.owners).map(({ id }) => id))
    for (const { id, added_at } of members)
      stager.add('group_users', { id: stager.nextId(), group_id: group.id, user_id: id, owner: owners.has(id), created_at: added_at })
    if (members.length < MEMBERS_AT_ONCE) return
  }
}

/** Copies groups with their members, and returns their ids. Visitors see only a part of them, so this requires an administrator. */
export const stageGroups = async (api: SiteApi, stager: Stager): Promise<ReadonlyMap<string, number>> => {
  const seen = new Map([['everyone', 0]])
  if (!api.isAdministrator) return seen
  for (let page = 0; ; page++) {
    const groups = itemsOf((await api.get<GroupsAnswer>(`/groups.json?page=${page}`))?.groups)
    const found = groups.filter(({ name }) => !seen.has(name))
    for (const group of found) {
      seen.set(group.name, group.id)
      stager.add('groups', { ...group })
      await stageMembers(api, stager, group)
    }
    if (found.length === 0) return seen
  }
}
