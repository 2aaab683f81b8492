import type { EventPayload } from '@lyceum/contract'
import { factsLoader } from '../../jobs/index.ts'

/** What the projectors of an event need to know about a reaction whose feed or comment exists. */
export interface ReactionFacts {
  /** The id in the event. */
  readonly id: number
  /** Who reacted. */
  readonly user_id: number
  readonly feed_id: number
  readonly comment_id: number | null
  readonly space_id: number | null
  /** Who wrote the feed or comment. */
  readonly author_id: number
  /** 0 if the author's account was deleted. */
  readonly has_account: 0 | 1
  /** The reaction that this member now has there: this one, a later one, or none. */
  readonly current_id: number | null
  readonly created_at: string | null
}

const AUTHOR = 'case when d.comment_id is null then f.user_id else c.user_id end'
const withTargets = (rows: string) => `${rows} d join feeds f on f.id = d.feed_id left join comments c on c.id = d.comment_id`

/**
 * Locks the authors of what members reacted to and loads the present state of the reactions. The lock serializes the projectors of a reaction;
 * members may react during a batch, since each change is followed by an event.
 */
export const loadReactionFacts = factsLoader<EventPayload<'reaction.added'>, ReactionFacts>({
  columns: { reaction_id: 'bigint', user_id: 'bigint', feed_id: 'bigint', comment_id: 'bigint' },
  locks: { users: (rows) => `select ${AUTHOR} from ${withTargets(rows)}` },
  sharedLocks: { feeds: (rows) => `select d.feed_id from ${rows} d`, comments: (rows) => `select d.comment_id from ${rows} d` },
  select: (rows) => `select d.reaction_id as id, d.user_id, d.feed_id, d.comment_id, f.space_id, u.id as author_id,
    case when u.status = 'deleted' then 0 else 1 end as has_account, r.id as current_id, r.created_at
    from ${withTargets(rows)} join users u on u.id = ${AUTHOR}
    left join reactions r on r.id = case when d.comment_id is null
      then (select o.id from reactions o where o.feed_id = d.feed_id and o.user_id = d.user_id and o.comment_id is null)
      else (select o.id from reactions o where o.comment_id = d.comment_id and o.user_id = d.user_id) end`,
})
