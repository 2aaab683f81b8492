import type { Actor, WriteRequest } from '../../core/context.ts'
import { invalidField } from '../../core/errors.ts'
import { exists, type Placeholder } from '../../db/index.ts'
import { hasTopics, listTopics, restrictedTopicsOf, setSpaceTopics, topicRules } from '../topics/index.ts'
import { spaceTables, visibleSpaces } from './access.ts'
import { readSettings } from './settings.ts'

/** SQL condition on topic `t`: it is offered everywhere, or in a space visible to the caller. */
export const visibleTopics =
  (actor: Actor) =>
  (p: Placeholder): string =>
    `(t.is_global = 1 or ${exists(`select 1 from topic_spaces o cross join ${spaceTables(p(actor.id))}
      where o.topic_id = t.id and s.id = o.space_id and ${visibleSpaces(actor, p)}`)})`

const MAX_TOPICS = 1000

/** Managers of a space may offer topics that they can see or that the space offers already; administrators any topic. */
const offerableTopics = async ({ db, actor }: WriteRequest, spaceId: number, wanted: readonly number[]): Promise<number[]> => {
  if (actor.role === 'admin') return [...wanted]
  const { rows } = await listTopics(db, { status: 'active' }, { limit: MAX_TOPICS, offset: 0 }, visibleTopics(actor))
  const offerable = new Set([...rows.map((row) => row.id), ...(await restrictedTopicsOf(db, [spaceId]))])
  return wanted.filter((id) => offerable.has(id))
}

interface SpaceTopicChange {
  readonly spaceId: number
  readonly topicIds: readonly number[] | undefined
  /** Stored settings of the space before and after the change. */
  readonly before: string
  readonly after: string
}

/**
 * Applies the topics and the topic requirement of a changed space, whose row is locked.
 * @throws invalid_data for too many topics, or if topics become required but the space offers none
 */
export const reconcileTopics = async (ctx: WriteRequest, { spaceId, topicIds, before, after }: SpaceTopicChange): Promise<void> => {
  const { db } = ctx
  if (topicIds) {
    const { max_topics_per_space } = await topicRules(db)
    await setSpaceTopics(db, spaceId, await offerableTopics(ctx, spaceId, topicIds), max_topics_per_space)
  }
  const requires = readSettings(after).topic_required === 'yes' && readSettings(before).topic_required !== 'yes'
  if (requires && !(await hasTopics(db, spaceId, true))) {
    throw invalidField('settings.topic_required', 'requires a topic that is available in the space')
  }
}
