import { ApiError } from '../../core/errors.ts'
import type { Db } from '../../db/index.ts'
import { readSettings } from '../spaces/index.ts'
import { assignTopics, hasTopics, pickTopics, topicRules, topicsOfFeed } from '../topics/index.ts'

/** The requested topics of a feed and the context that decides which are allowed. */
interface TopicChange {
  /** Undefined: topics were not sent. */
  readonly requested: readonly number[] | undefined
  readonly spaceId: number | null
  /** Stored settings of that space. */
  readonly settings: string | null
  /** The caller moderates in that space. */
  readonly moderates: boolean
  readonly isNew: boolean
  /** The feed does not move and does not stop being a draft, so its topics need no new check. */
  readonly unchangedContext: boolean
  readonly status: string
  /** Whether the feed was listed before this change. */
  readonly listed: boolean
  readonly publishedAt: string
}

/**
 * Sets the topics of a feed whose row the caller has locked. Drafts, and feeds that do not change otherwise, may lack a required topic.
 * @throws topic_required
 */
export const reconcileFeedTopics = async (db: Db, feedId: number, change: TopicChange): Promise<void> => {
  const { requested, spaceId, settings, moderates, isNew, unchangedContext, status, listed, publishedAt } = change
  if (requested === undefined && unchangedContext) return
  const rules = await topicRules(db)
  if (!rules.on) return
  const before = isNew ? [] : await topicsOfFeed(db, feedId)
  const { shown, all } = await pickTopics(db, rules, { wanted: requested ?? before, current: before, spaceId, moderates })
  const required = rules.required_for_posts || readSettings(settings ?? '{}').topic_required === 'yes'
  if (shown.length === 0 && required && status !== 'draft' && (await hasTopics(db, spaceId, moderates))) {
    throw new ApiError('topic_required', { data: { field: 'topics' } })
  }
  await assignTopics(db, feedId, { before, after: all, listed, publishedAt })
}
