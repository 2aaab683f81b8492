import type { Actor, WriteRequest } from '../../core/context.ts'
import { invalidField } from '../../core/errors.ts'
import { found, type Placeholder } from '../../db/index.ts'
import { hasTopics, listTopics, offerTopics, ownTopics, topicRules } from '../topics/index.ts'
import { spaceTables, visibleSpaces } from './access.ts'
import { readSettings } from './settings.ts'

/** SQL over a topic `t`: it is offered everywhere, or in a space that the caller may see. */
export const visibleTopics =
  (actor: Actor) =>
  (p: Placeholder): string =>
    `(t.is_global = 1 or ${found(`select 1 from topic_spaces o cross join ${spaceTables(p(actor.id))}
      where o.topic_id = t.id and s.id = o.space_id and ${visibleSpaces(actor, p)}`)})`

const MOST = 1000

/** Who runs a space offers there what he sees elsewhere, or what it offers already; an administrator whatever there is. */
const mayOffer = async ({ db, actor }: WriteRequest, spaceId: number, wanted: readonly number[]): Promise<number[]> => {
  if (actor.role === 'admin') return [...wanted]
  const { rows } = await listTopics(db, { status: 'active' }, { limit: MOST, offset: 0 }, visibleTopics(actor))
  const seen = new Set([...rows.map((row) => row.id), ...(await ownTopics(db, spaceId))])
  return wanted.filter((id) => seen.has(id))
}

interface TopicSettings {
  readonly spaceId: number
  readonly topicIds: readonly number[] | undefined
  /** Stored settings of the space before and after the change. */
  readonly before: string
  readonly after: string
}

/**
 * What a change of a space, which is held, means for the topics there.
 * @throws invalid_data for too many topics, and where posts are to need one but there is none
 */
export const reconcileTopics = async (ctx: WriteRequest, { spaceId, topicIds, before, after }: TopicSettings): Promise<void> => {
  const { db } = ctx
  if (topicIds) {
    const { max_topics_per_space } = await topicRules(db)
    await offerTopics(db, spaceId, await mayOffer(ctx, spaceId, topicIds), max_topics_per_space)
  }
  const requires = readSettings(after).topic_required === 'yes' && readSettings(before).topic_required !== 'yes'
  if (requires && !(await hasTopics(db, spaceId, true))) {
    throw invalidField('settings.topic_required', 'requires a topic that is available in the space')
  }
}
