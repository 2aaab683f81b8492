import { datetimeOf } from '../datetime.ts'
import { leftOut } from '../left-out.ts'
import type { Entry } from '../source.ts'
import type { Category } from './categories.ts'
import { type Forum, spaceOfCategory, spaceOfGroup } from './forum.ts'
import { ownGroups } from './groups.ts'
import type { Holders } from './privileges.ts'

/** States of `cid:…:uid:watch:state`: the lowest one that follows a category, and the one that ignores it. */
const TRACKING = 3
const IGNORING = 1

interface Member {
  readonly uid: number
  readonly since: number | null
}

const WRITERS = `select uid, min(time) as since from written where cid = ? and uid > 0 group by uid order by uid`
const WATCHERS = `select cast(value as integer) as uid, null as since from zset where _key = ? and score >= ${TRACKING} order by uid`
const IGNORERS = `select cast(value as integer) as uid, null as since from zset where _key = ? and score = ${IGNORING} order by uid`
const GROUP_MEMBERS = `select cast(value as integer) as uid, score as since from zset where _key = ? order by uid`
const JOINED = `select json_extract(data, '$.joindate') as time from hash where _key = 'user:' || ? and json_valid(data)`

const holders = ({ staging }: Forum, { groups, uids }: Holders): Map<number, number | null> => {
  const found = new Map<number, number | null>(uids.map((uid) => [Number(uid), null]))
  for (const name of groups)
    if (name !== 'administrators')
      for (const { uid, since } of staging.rows<Member>(GROUP_MEMBERS, `group:${name}:members`)) found.set(uid, found.get(uid) ?? since)
  return found
}

const hasAccount = ({ staging }: Forum, uid: number) => staging.get('select 1 from account where uid = ?', uid) !== undefined

/**
 * NodeBB has no category members. Everyone with access to a restricted category becomes a member of its space; members of a public space are
 * the authors and followers of the category.
 */
function* categoryMembers(forum: Forum, category: Category): Generator<Entry<'memberships'>> {
  const { cid, privacy, readers, moderators, disabled } = category
  const { staging, earliest } = forum
  const watching = `cid:${cid}:uid:watch:state`
  const found = holders(forum, readers)
  if (privacy === 'public') {
    found.clear()
    for (const { uid, since } of staging.rows<Member>(WRITERS, cid)) found.set(uid, since)
    for (const { uid, since } of staging.rows<Member>(WATCHERS, watching)) if (!found.has(uid)) found.set(uid, since)
    for (const { uid } of staging.rows<Member>(IGNORERS, watching)) found.delete(uid)
  }
  const moderating = holders(forum, { ...moderators, groups: moderators.groups.filter((name) => name !== 'Global Moderators') })
  if (privacy === 'public') for (const [uid, since] of moderating) if (!found.has(uid)) found.set(uid, since)
  for (const [uid, since] of [...found].sort(([a], [b]) => a - b)) {
    if (!hasAccount(forum, uid)) continue
    yield {
      id: `${spaceOfCategory(cid)}:${uid}`,
      space: spaceOfCategory(cid),
      person: String(uid),
      role: moderating.has(uid) && !disabled ? 'moderator' : 'member',
      status: 'active',
      joined_at: datetimeOf(since ?? staging.get<{ time: number }>(JOINED, uid)?.time ?? null) ?? earliest,
    }
  }
}

const GROUP_PEOPLE = `select uid, min(since) as since, max(owns) as owns, max(joined) as joined from (
    select cast(value as integer) as uid, score as since, 0 as owns, 1 as joined from zset where _key = 'group:' || $name || ':members'
    union all select cast(member as integer), null, 1, 1 from members where _key = 'group:' || $name || ':owners'
    union all select cast(member as integer), null, 0, 0 from members where _key = 'group:' || $name || ':pending'
  ) group by uid order by uid`

function* groupMembers(forum: Forum, name: string, created: number | null): Generator<Entry<'memberships'>> {
  const rows = forum.staging.rows<Member & { owns: number; joined: number }>(GROUP_PEOPLE.replaceAll('$name', '?'), name, name, name)
  for (const { uid, since, owns, joined } of rows) {
    const id = `${spaceOfGroup(name)}:${uid}`
    if (!hasAccount(forum, uid)) {
      yield leftOut(id, 'its account does not exist in the source')
      continue
    }
    yield {
      id,
      space: spaceOfGroup(name),
      person: String(uid),
      role: owns ? 'admin' : 'member',
      status: joined ? 'active' : 'pending',
      joined_at: datetimeOf(since) ?? datetimeOf(created) ?? forum.earliest,
    }
  }
}

export function* readMemberships(forum: Forum): Generator<Entry<'memberships'>> {
  for (const category of forum.spaces) yield* categoryMembers(forum, category)
  for (const { name, fields } of ownGroups(forum)) if (fields) yield* groupMembers(forum, name, Number(fields['createtime']))
}
