import { isHttpUrl } from '@lyceum/content'
import { type api, type BodyOf, TOPIC_DESCRIPTION_BYTES, TOPIC_SLUG_LENGTH } from '@lyceum/contract'
import type { WriteContext } from '../../core/context.ts'
import { ApiError, invalidField } from '../../core/errors.ts'
import { createSlugs } from '../../core/slugs.ts'
import { cleanTitle } from '../../core/validate-text.ts'
import { type Db, lockName, lockRow, lockRows, statementExists } from '../../db/index.ts'
import {
  hasChildTopics,
  incrementPositions,
  isPositionTaken,
  nextPosition,
  spacesOfTopics,
  type TopicRecord,
  topicById,
  topicRules,
  topicsFromPosition,
} from './queries.ts'
import { setTopicSpaces } from './space-topics.ts'

type Fields = BodyOf<typeof api.adminTopics.update>

const SCHEME = /^\s*[a-z][a-z0-9+.-]*:|[<>"]/i

/** Serializes changes of slugs, order and hierarchy; administrators are few, so contention is low. */
const lockTopics = (db: Db) => lockName(db, 'topics')

const columnsFrom = ({ title, description, color, icon, status, admin_only }: Fields) => {
  if (Buffer.byteLength(description ?? '') > TOPIC_DESCRIPTION_BYTES) {
    throw invalidField('description', `must have at most ${TOPIC_DESCRIPTION_BYTES} bytes`)
  }
  // An icon is a CSS class, a character, or the URL of an image.
  if (icon && SCHEME.test(icon) && !isHttpUrl(icon)) throw new ApiError('invalid_url', { data: { field: 'icon' } })
  const flag: 0 | 1 = admin_only === true || admin_only === 1 || admin_only === 'yes' ? 1 : 0
  return {
    ...(title !== undefined && { title: cleanTitle(title) }),
    ...(description !== undefined && { description: description ?? '' }),
    ...(color !== undefined && { color: color?.toLowerCase() ?? '' }),
    ...(icon !== undefined && { icon: icon?.trim() ?? '' }),
    ...(status !== undefined && { status }),
    ...(admin_only !== undefined && { admin_only: flag }),
  }
}

const slugs = createSlugs({
  kind: 'topic',
  length: TOPIC_SLUG_LENGTH,
  // A path of its own.
  reserved: ['config'],
  isUsed: statementExists('select id from topics where slug = $1'),
})

/** Allows at most two levels. @throws invalid_data */
const checkParent = async (db: Db, parentId: number | null, self?: number): Promise<void> => {
  if (parentId === null) return
  const parent = await topicById(db, [parentId])
  if (!parent || parentId === self) throw invalidField('parent_id', 'must be the id of another topic')
  if (parent.parent_id !== null) throw invalidField('parent_id', 'must be a topic without a parent')
  if (self !== undefined && (await hasChildTopics(db, [self]))) throw invalidField('parent_id', 'cannot be set for a topic with subtopics')
}

/**
 * Locks the topic's spaces against concurrent deletion. Returns whether all of them are secret.
 * @throws invalid_data if one does not exist
 */
const lockSpaces = async (db: Db, ids: readonly number[]): Promise<boolean> => {
  await lockRows(db, 'spaces', ids)
  if (ids.length === 0) return false
  const rows = await db.selectFrom('spaces').select('privacy').where('id', 'in', ids).execute()
  if (rows.length !== ids.length) throw invalidField('space_ids', 'must be space ids')
  return rows.every(({ privacy }) => privacy === 'secret')
}

const uniqueSorted = (ids: readonly number[]): number[] => [...new Set(ids)].sort((a, b) => a - b)

/** If the position is taken, increments it and all higher ones. */
const shiftPositions = async (db: Db, position: number, topicId: number): Promise<void> => {
  if (!(await isPositionTaken(db, [position, topicId]))) return
  const rows = await topicsFromPosition(db, [position, topicId])
  // In id order, as concurrent writes lock the topics that they count feeds in.
  await lockRows(
    db,
    'topics',
    rows.map(({ id }) => id),
  )
  await incrementPositions(db, [position, topicId])
}

/** Creates a topic. @throws duplicate_slug, invalid_url, invalid_data */
export const createTopic = async (ctx: Pick<WriteContext, 'db' | 'now'>, body: Fields & { readonly title: string }) => {
  const { db, now } = ctx
  const title = cleanTitle(body.title)
  const columns = columnsFrom(body)
  const spaces = uniqueSorted(body.space_ids ?? [])
  await lockTopics(db)
  const hidden = await lockSpaces(db, spaces)
  const parent_id = body.parent_id || null
  await checkParent(db, parent_id)
  const slug = await slugs.create(ctx, body.slug, title, hidden)
  if (body.serial !== undefined) await shiftPositions(db, body.serial, 0)
  const position = body.serial ?? (await nextPosition(db))
  const is_global = spaces.length === 0 ? 1 : 0
  const topic = await db
    .insertInto('topics')
    .values({ ...columns, title, slug, position, parent_id, is_global, created_at: now, updated_at: now })
    .returningAll()
    .executeTakeFirstOrThrow()
  await setTopicSpaces(db, topic.id, spaces, [], (await topicRules(db)).max_topics_per_space)
  return topic
}

/** Locks and loads a topic. @throws not_found */
const lockTopic = async (db: Db, id: number): Promise<TopicRecord> => {
  await lockRow(db, 'topics', id)
  const topic = await topicById(db, [id])
  if (!topic) throw new ApiError('not_found', { message: 'This topic does not exist.' })
  return topic
}

/** Updates the fields that the body contains. @throws not_found, duplicate_slug, invalid_url, invalid_data */
export const updateTopic = async (ctx: Pick<WriteContext, 'db' | 'now'>, id: number, body: Fields) => {
  const { db, now } = ctx
  await lockTopics(db)
  if (!(await topicById(db, [id]))) throw new ApiError('not_found', { message: 'This topic does not exist.' })
  const columns = columnsFrom(body)
  const spaceIds = body.space_ids === undefined ? undefined : uniqueSorted(body.space_ids ?? [])
  await lockSpaces(db, spaceIds ?? [])
  const before = await lockTopic(db, id)
  const parent_id = body.parent_id === undefined ? before.parent_id : body.parent_id || null
  if (parent_id !== before.parent_id) await checkParent(db, parent_id, id)
  const wanted = body.slug?.toLowerCase() || before.slug
  const slug = wanted === before.slug ? wanted : await slugs.claim(ctx, wanted)
  const position = body.serial ?? before.position
  if (position !== before.position) await shiftPositions(db, position, id)
  const is_global = spaceIds ? (spaceIds.length === 0 ? 1 : 0) : before.is_global
  const topic = await db
    .updateTable('topics')
    .set({ ...columns, slug, parent_id, position, is_global, updated_at: now })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
  const spaces = (await spacesOfTopics(db, [id])).get(id) ?? []
  if (spaceIds) await setTopicSpaces(db, id, spaceIds, spaces, (await topicRules(db)).max_topics_per_space)
  return { topic, spaces: spaceIds ?? spaces }
}

/** Deletes a topic. Feeds lose it, and its child topics become top-level. @throws not_found */
export const removeTopic = async ({ db }: Pick<WriteContext, 'db'>, id: number): Promise<TopicRecord> => {
  await lockTopics(db)
  const topic = await lockTopic(db, id)
  await db.deleteFrom('topics').where('id', '=', id).execute()
  return topic
}
