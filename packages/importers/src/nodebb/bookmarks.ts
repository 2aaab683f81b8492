import { datetimeOf } from '../datetime.ts'
import { leftOut } from '../left-out.ts'
import type { Entry } from '../source.ts'
import type { Forum } from './forum.ts'

interface Row {
  readonly pid: number
  readonly uid: number
  readonly tid: number | null
  readonly since: number | null
  readonly written: number | null
  readonly account: number | null
  /** Ordinal of the bookmark among this person's bookmarks in the topic. */
  readonly nth: number
}

const BOOKMARKS = `select b.pid, b.uid, w.tid, w.time as written, z.score as since, a.uid as account,
    row_number() over (partition by b.uid, w.tid order by coalesce(z.score, 0), b.pid) as nth
  from (select cast(substr(_key, 5) as integer) as pid, cast(member as integer) as uid from members
    where _key glob 'pid:[0-9]*:users_bookmarked') b
  left join place w on w.pid = b.pid left join account a on a.uid = b.uid
  left join zset z on z._key = 'uid:' || b.uid || ':bookmarks' and z.value = cast(b.pid as text)
  order by b.pid, b.uid`

export const countBookmarks = ({ staging }: Forum): number =>
  staging.get<{ n: number }>(`select count(*) as n from members where _key glob 'pid:[0-9]*:users_bookmarked'`)?.n ?? 0

const bookmark = ({ earliest }: Forum, { pid, uid, tid, since, written, account, nth }: Row): Entry<'bookmarks'> => {
  const id = `${pid}:${uid}`
  if (tid === null) return leftOut(id, 'its post was not imported')
  if (account === null) return leftOut(id, 'its account does not exist in the source')
  if (nth > 1) return leftOut(id, 'the account has another bookmark in the same topic')
  return { id, person: String(uid), post: String(tid), created_at: datetimeOf(since) ?? datetimeOf(written) ?? earliest }
}

/** Lyceum has no bookmarks of comments, so a bookmark of a reply becomes one of its topic. */
export function* readBookmarks(forum: Forum): Generator<Entry<'bookmarks'>> {
  for (const row of forum.staging.rows<Row>(BOOKMARKS)) yield bookmark(forum, row)
}
