import { ApiError } from '../../core/errors.ts'
import type { Db } from '../../db/index.ts'
import { readSettings } from '../spaces/index.ts'
import { carryTopics, hasTopics, pickTopics, RULE_SUBJECTS, topicRules, topicsOfFeed, topicsOfFeeds } from '../topics/index.ts'
import type { FeedView } from './view.ts'

/** Where a feed stands with its topics, and what is said about them. */
export interface TopicChange {
  /** Undefined: nothing is said. */
  readonly asked: readonly number[] | undefined
  readonly spaceId: number | null
  /** Stored settings of that space. */
  readonly settings: string | null
  /** The caller moderates there. */
  readonly moderates: boolean
  readonly isNew: boolean
  /** It stays where it was, and a draft if it was one: nothing is to be looked at anew. */
  readonly stays: boolean
  readonly status: string
  /** Whether lists held it before this change. */
  readonly listed: boolean
  readonly publishedAt: string
}

/**
 * Gives a feed, which is held, its topics. A draft may be without one where one is needed, and so may a feed that was.
 * @throws topic_required
 */
export const reconcileFeedTopics = async (db: Db, feedId: number, change: TopicChange): Promise<void> => {
  const { asked, spaceId, settings, moderates, isNew, stays, status, listed, publishedAt } = change
  if (asked === undefined && stays) return
  const rules = await topicRules(db)
  if (!rules.on) return
  const before = isNew ? [] : await topicsOfFeed(db, feedId)
  const { shown, all } = await pickTopics(db, rules, { wanted: asked ?? before, carried: before, spaceId, moderates })
  const required = rules.required_for_posts || readSettings(settings ?? '{}').topic_required === 'yes'
  if (shown.length === 0 && required && status !== 'draft' && (await hasTopics(db, spaceId, moderates))) {
    throw new ApiError('topic_required', { data: { field: 'topics' } })
  }
  await carryTopics(db, feedId, { before, after: all, listed, publishedAt })
}

/** What feeds show of their topics, by feed. */
export interface FeedTerms {
  readonly terms: FeedView['terms']
  /** What it depends on. */
  readonly subjects: readonly string[]
}

export const NO_TERMS: FeedTerms = { terms: [], subjects: [] }

/** The topics of feeds as they are shown: active ones in their order, none while topics are not in use. */
export const termsOf = async (db: Db, feedIds: readonly number[]): Promise<ReadonlyMap<number, FeedTerms>> => {
  const rows = await topicsOfFeeds(db, feedIds)
  if (rows.length === 0) return new Map()
  const { on } = await topicRules(db)
  return new Map(
    Map.groupBy(rows, (row) => row.feed_id)
      .entries()
      .map(([feedId, carried]): [number, FeedTerms] => [
        feedId,
        {
          terms: on ? carried.flatMap(({ id, title, slug, status }) => (status === 'active' ? [{ id, title, slug }] : [])) : [],
          subjects: [...RULE_SUBJECTS, ...carried.map(({ id }) => `topic:${id}`)],
        },
      ]),
  )
}
