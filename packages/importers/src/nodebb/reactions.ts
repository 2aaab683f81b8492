import { datetimeOf } from '../datetime.ts'
import { leftOut } from '../left-out.ts'
import type { Entry } from '../source.ts'
import type { Forum } from './forum.ts'

interface Row {
  readonly pid: number
  readonly uid: number
  readonly tid: number | null
  readonly is_main: number | null
  /** Time of the vote; null if unknown. */
  readonly given: number | null
  readonly written: number | null
  readonly account: number | null
}

const VOTES = `select v.pid, v.uid, w.tid, w.is_main, w.time as written, z.score as given, a.uid as account
  from (select cast(substr(_key, 5) as integer) as pid, cast(member as integer) as uid from members where _key glob 'pid:[0-9]*:upvote') v
  left join place w on w.pid = v.pid left join account a on a.uid = v.uid
  left join zset z on z._key = 'uid:' || v.uid || ':upvote' and z.value = cast(v.pid as text)
  order by v.pid, v.uid`

export const countReactions = ({ staging }: Forum): number =>
  staging.get<{ n: number }>(`select count(*) as n from members where _key glob 'pid:[0-9]*:upvote'`)?.n ?? 0

const reaction = ({ earliest }: Forum, { pid, uid, tid, is_main, given, written, account }: Row): Entry<'reactions'> => {
  const id = `${pid}:${uid}`
  if (tid === null) return leftOut(id, 'its post was not imported')
  if (account === null) return leftOut(id, 'its account does not exist in the source')
  return {
    id,
    person: String(uid),
    ...(is_main ? { post: String(tid) } : { comment: String(pid) }),
    type: 'like',
    created_at: datetimeOf(given) ?? datetimeOf(written) ?? earliest,
  }
}

/** Upvotes become likes. */
export function* readReactions(forum: Forum): Generator<Entry<'reactions'>> {
  for (const row of forum.staging.rows<Row>(VOTES)) yield reaction(forum, row)
}
