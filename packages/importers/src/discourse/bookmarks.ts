import { datetimeFromText } from '../datetime.ts'
import { leftOut } from '../left-out.ts'
import type { Entry } from '../source.ts'
import type { Community } from './community.ts'

interface Row {
  readonly id: number
  readonly user_id: number
  readonly created_at: string | null
  readonly topic_id: number | null
  readonly account: number | null
  /** Ordinal of the bookmark among this person's bookmarks in the topic. */
  readonly nth: number
}

/** Bookmarks of topics and posts, in the schemas of current and earlier versions. Bookmarks of private messages are excluded. */
const BOOKMARKS = `select b.id, b.user_id, b.created_at, b.topic_id, a.id as account,
    row_number() over (partition by b.user_id, b.topic_id order by b.id) as nth
  from (select b.id, b.user_id, b.created_at, coalesce(w.topic_id, t.id) as topic_id, s.id as private from bookmarks b
    left join posts p on p.id = case when b.bookmarkable_type = 'Post' then b.bookmarkable_id else b.post_id end
    left join private_topic s on s.id = coalesce(p.topic_id, case when b.bookmarkable_type = 'Topic' then b.bookmarkable_id end)
    left join written w on w.id = p.id
    left join topic t on b.bookmarkable_type = 'Topic' and t.id = b.bookmarkable_id and t.reason is null
    where coalesce(b.bookmarkable_type, 'Post') in ('Post', 'Topic')) b
  left join account a on a.id = b.user_id where b.private is null order by b.id`

export const countBookmarks = ({ staging }: Community): number =>
  staging.get<{ n: number }>(`select count(*) as n from (${BOOKMARKS})`)?.n ?? 0

const bookmark = ({ earliest }: Community, { id, user_id, created_at, topic_id, account, nth }: Row): Entry<'bookmarks'> => {
  if (topic_id === null) return leftOut(String(id), 'its post was not imported')
  if (account === null) return leftOut(String(id), 'its account does not exist in the source')
  if (nth > 1) return leftOut(String(id), 'the account has another bookmark in the same topic')
  return { id: String(id), person: String(user_id), post: String(topic_id), created_at: datetimeFromText(created_at) ?? earliest }
}

/** Lyceum has no bookmarks of comments, so a bookmark of a reply becomes one of its topic. */
export function* readBookmarks(community: Community): Generator<Entry<'bookmarks'>> {
  for (const row of community.staging.rows<Row>(BOOKMARKS)) yield bookmark(community, row)
}
