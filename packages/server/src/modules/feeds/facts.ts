import type { WriteContext } from '../../core/context.ts'
import { batchStatement, isSingleWriter } from '../../db/index.ts'

/** What the projectors of an event need to know about a feed. */
export interface FeedFacts {
  readonly id: number
  readonly user_id: number
  readonly space_id: number | null
  readonly lesson_id: number | null
  readonly message: string
  readonly message_rendered: string
  readonly content_type: string
  readonly status: string
  readonly published_at: string
  /** False if the author's account was deleted. */
  readonly has_author: 0 | 1
}

const IDS = { id: 'bigint' } as const
const lockAuthors = batchStatement(
  IDS,
  (rows) => `select u.id from users u where u.id in (select f.user_id from ${rows} d join feeds f on f.id = d.id) order by u.id`,
  'for no key update',
)
const feedsOf = batchStatement<FeedFacts>(
  IDS,
  (rows) => `select f.id, f.user_id, f.space_id, f.lesson_id, f.message, f.message_rendered, f.content_type, f.status, f.published_at,
    case when u.status = 'deleted' then 0 else 1 end as has_author
    from ${rows} d join feeds f on f.id = d.id join users u on u.id = f.user_id order by f.id`,
  'for no key update of f',
)

/** Locks the authors of feeds, then the feeds that exist, and loads these. */
export const loadFeedFacts = async (
  { db }: Pick<WriteContext, 'db'>,
  named: readonly { readonly feed_id: number }[],
): Promise<FeedFacts[]> => {
  const ids = [...new Set(named.map(({ feed_id }) => feed_id))]
  if (!isSingleWriter(db)) await lockAuthors(db, ids)
  return feedsOf(db, ids)
}
