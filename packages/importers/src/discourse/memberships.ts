import { datetimeFromText } from '../datetime.ts'
import { leftOut } from '../left-out.ts'
import type { Entry } from '../source.ts'
import type { Category } from './categories.ts'
import { type Community, spaceOfCategory, spaceOfGroup } from './community.ts'
import { ownGroups } from './spaces.ts'

/** Notification levels of `category_users`: muted, and the lowest one that follows the category. */
const MUTED = 0
const TRACKING = 2

interface Member {
  readonly id: number
  readonly since: string | null
}

type Members = Map<number, string | null>

const WRITERS = 'select user_id as id, min(created_at) as since from written where category_id = ? group by user_id'
const WATCHERS = `select user_id as id, null as since from category_users where category_id = ? and notification_level >= ${TRACKING}`
const MUTERS = `select user_id as id, null as since from category_users where category_id = ? and notification_level = ${MUTED}`
const inGroups = (groups: ReadonlySet<number>) =>
  `select user_id as id, min(created_at) as since from group_users where group_id in (${[...groups].join(', ')}) group by user_id`

const people = ({ staging }: Community, sql: string, ...parameters: number[]): Members =>
  new Map([...staging.rows<Member>(sql, ...parameters)].map(({ id, since }) => [id, since]))

/** Authors, followers and moderators of a public category. */
const participants = (community: Community, id: number, moderators: Members): Members => {
  const members = new Map([...moderators, ...people(community, WATCHERS, id), ...people(community, WRITERS, id)])
  for (const muter of people(community, MUTERS, id).keys()) members.delete(muter)
  return members
}

/**
 * Discourse has no category members. Everyone with access to a restricted category becomes a member of its space; members of a public space
 * are the people who take part in the category.
 */
function* categoryMembers(community: Community, category: Category): Generator<Entry<'memberships'>> {
  const { id: category_id, readers } = category
  const moderators = people(community, inGroups(category.moderators))
  const members = readers === null ? participants(community, category_id, moderators) : people(community, inGroups(readers))
  for (const [id, since] of [...members].sort(([a], [b]) => a - b))
    if (id > 0 && isRegistered(community, id))
      yield {
        id: `${spaceOfCategory(category_id)}:${id}`,
        space: spaceOfCategory(category_id),
        person: String(id),
        role: moderators.has(id) ? 'moderator' : 'member',
        status: 'active',
        joined_at: datetimeFromText(since) ?? joined(community, id),
      }
}

/** Whether the account still exists; authors may have been deleted. */
const isRegistered = ({ staging }: Community, id: number): boolean =>
  staging.get('select 1 from users join account using (id) where id = ?', id) !== undefined

const joined = ({ staging, earliest }: Community, id: number): string =>
  datetimeFromText(staging.get<{ created_at: string | null }>('select created_at from users where id = ?', id)?.created_at) ?? earliest

const GROUP_PEOPLE = `select g.id, min(g.since) as since, max(g.owns) as owns, max(g.joined) as joined, a.id is not null as known from (
    select user_id as id, created_at as since, owner = 't' as owns, 1 as joined from group_users where group_id = ?
    union all select user_id, created_at, 0, 0 from group_requests where group_id = ?) g
  left join account a on a.id = g.id where g.id > 0 group by g.id order by g.id`

interface GroupMember {
  readonly id: number
  readonly since: string | null
  readonly owns: number
  readonly joined: number
  readonly known: number
}

function* groupMembers(community: Community, group: number): Generator<Entry<'memberships'>> {
  for (const row of community.staging.rows<GroupMember>(GROUP_PEOPLE, group, group)) {
    const id = `${spaceOfGroup(group)}:${row.id}`
    if (!row.known) yield leftOut(id, 'its account does not exist in the source')
    else
      yield {
        id,
        space: spaceOfGroup(group),
        person: String(row.id),
        role: row.owns ? 'admin' : 'member',
        status: row.joined ? 'active' : 'pending',
        joined_at: datetimeFromText(row.since) ?? joined(community, row.id),
      }
  }
}

export function* readMemberships(community: Community): Generator<Entry<'memberships'>> {
  for (const category of community.categories.values()) yield* categoryMembers(community, category)
  for (const { id } of ownGroups(community)) yield* groupMembers(community, id)
}
