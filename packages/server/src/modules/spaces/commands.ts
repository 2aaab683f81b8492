import { type api, type BodyOf, SPACE_DESCRIPTION_BYTES } from '@lyceum/contract'
import { may } from '../../auth/authenticate.ts'
import type { WriteRequest } from '../../core/context.ts'
import { ApiError, invalidField } from '../../core/errors.ts'
import { checkAddress, checkFree, cleanTitle } from '../../core/validate-text.ts'
import { type Db, lockRow, type SpaceRow } from '../../db/index.ts'
import { audit } from '../audit/index.ts'
import { assertNotBlocked } from '../automod/index.ts'
import { attachMedia, detachMedia } from '../media/index.ts'
import { subtractSpaceFromTopics } from '../topics/index.ts'
import { lockedSpaceFor, type SpaceFor } from './access.ts'
import { findMembership, setMembership } from './membership.ts'
import { groupById, nextPosition } from './queries.ts'
import { mergeSettings, withMetaSettings } from './settings.ts'
import { spaceSlugs } from './slugs.ts'
import { reconcileTopics } from './space-topics.ts'

type Fields = BodyOf<typeof api.spaces.updateById>

/** Locks the target group against concurrent deletion; 0 and null mean no group. */
const lockGroup = async (db: Db, id: number | null | undefined): Promise<number | null> => {
  if (!id) return null
  await lockRow(db, 'space_groups', id)
  return id
}

const checkGroup = async (db: Db, id: number | null): Promise<void> => {
  if (id !== null && !(await groupById(db, [id]))) throw invalidField('parent_id', 'must be the id of a space group')
}

const columnsFrom = ({ title, description, logo, cover_photo, type, privacy, status, meta_settings }: Fields) => {
  checkAddress(logo, 'logo')
  checkAddress(cover_photo, 'cover_photo')
  checkFree(meta_settings, 'meta_settings')
  if (Buffer.byteLength(description ?? '') > SPACE_DESCRIPTION_BYTES) {
    throw invalidField('description', `must have at most ${SPACE_DESCRIPTION_BYTES} bytes`)
  }
  return {
    ...(title !== undefined && { title: cleanTitle(title) }),
    ...(description !== undefined && { description: description ?? '' }),
    ...(logo !== undefined && { logo: logo ?? '' }),
    ...(cover_photo !== undefined && { cover_photo: cover_photo ?? '' }),
    ...(type !== undefined && { type }),
    ...(privacy !== undefined && { privacy }),
    ...(status !== undefined && { status }),
  }
}

type MediaOwner = Pick<SpaceFor, 'id' | 'logo' | 'cover_photo' | 'description' | 'settings' | 'lockscreen'>

/** Attaches the uploaded files that the space refers to, and detaches all others. */
const attachSpaceMedia = (ctx: WriteRequest, { id, logo, cover_photo, description, settings, lockscreen }: MediaOwner): Promise<void> =>
  attachMedia(ctx, { source: 'space', objectId: id, urls: [logo, cover_photo, description, settings, lockscreen] })

const settingsAfter = (stored: string, { settings, meta_settings }: Fields): string => {
  const merged = settings ? mergeSettings(stored, settings) : stored
  return meta_settings === undefined ? merged : withMetaSettings(merged, meta_settings)
}

/** Creates a space with the caller as its admin. @throws rest_forbidden, duplicate_slug, invalid_url, invalid_data */
export const createSpace = async (ctx: WriteRequest, body: BodyOf<typeof api.spaces.create>) => {
  const { db, actor, now } = ctx
  if (!may(actor, 'manage_spaces', null)) throw new ApiError('rest_forbidden')
  const title = cleanTitle(body.title)
  const columns = columnsFrom(body)
  const settings = settingsAfter('{}', body)
  const parentId = await lockGroup(db, body.parent_id)
  await checkGroup(db, parentId)
  const slug = await spaceSlugs.create(ctx, body.slug, title, body.privacy === 'secret')
  const position = await nextPosition(db, parentId)
  const { id, privacy, status } = await db
    .insertInto('spaces')
    .values({ ...columns, title, slug, settings, position, parent_id: parentId, created_by: actor.id, created_at: now, updated_at: now })
    .returning(['id', 'privacy', 'status'])
    .executeTakeFirstOrThrow()
  await attachSpaceMedia(ctx, { logo: '', cover_photo: '', description: '', ...columns, id, settings, lockscreen: '' })
  await reconcileTopics(ctx, { spaceId: id, topicIds: body.topic_ids, before: '{}', after: settings })
  // No membership event: the creator's membership is implied by `space.created`.
  await setMembership({ ...ctx, emit: async () => {} }, id, actor.id, await findMembership(db, id, actor.id), {
    role: 'admin',
    status: 'active',
  })
  await ctx.emit('space.created', { space_id: id, user_id: actor.id })
  await audit(ctx, 'space.created', { object_type: 'space', object_id: id, details: { title, privacy } })
  return { id, title, slug, privacy, status, created_at: now }
}

/** The new group and position of a space that changes its group; undefined if it stays. */
const groupChangeOf = async (db: Db, space: SpaceFor, parentId: number | null) =>
  parentId === space.parent_id ? undefined : { parent_id: parentId, position: await nextPosition(db, parentId) }

/** Stores changed columns of a space and audits them; a change of privacy includes the previous value. */
export const saveSpace = async (ctx: WriteRequest, space: SpaceFor, columns: Partial<SpaceRow>, fields: string[]): Promise<void> => {
  await ctx.db
    .updateTable('spaces')
    .set({ ...columns, updated_at: ctx.now })
    .where('id', '=', space.id)
    .execute()
  await attachSpaceMedia(ctx, { ...space, ...columns })
  const { privacy } = columns
  const details = { fields, ...(privacy && privacy !== space.privacy && { privacy, privacy_before: space.privacy }) }
  await audit(ctx, 'space.updated', { object_type: 'space', object_id: space.id, details })
  await ctx.emit('space.updated', { space_id: space.id })
}

/** @throws space_not_found, rest_forbidden, duplicate_slug, invalid_url, invalid_data */
export const updateSpace = async (ctx: WriteRequest, key: number | string, body: Fields) => {
  const { db, now } = ctx
  const parentId = await lockGroup(db, body.parent_id)
  const space = await lockedSpaceFor(ctx, key, 'manage')
  const columns = columnsFrom(body)
  await assertNotBlocked(ctx, ctx.actor, { title: columns.title, description: columns.description })
  const settings = settingsAfter(space.settings, body)
  if (parentId !== space.parent_id) await checkGroup(db, parentId)
  const wanted = body.slug?.toLowerCase() || space.slug
  const slug = wanted === space.slug ? wanted : await spaceSlugs.claim(ctx, wanted)
  const groupChange = body.parent_id === undefined ? undefined : await groupChangeOf(db, space, parentId)
  await saveSpace(ctx, space, { ...columns, ...groupChange, slug, settings }, Object.keys(body))
  await reconcileTopics(ctx, { spaceId: space.id, topicIds: body.topic_ids, before: space.settings, after: settings })
  return { id: space.id, title: columns.title ?? space.title, slug, updated_at: now }
}

/** Deletes a space with its feeds and everything below them. @throws space_not_found, rest_forbidden */
export const removeSpace = async (ctx: WriteRequest, key: number | string): Promise<void> => {
  const { id, title, privacy, status } = await lockedSpaceFor(ctx, key, 'manage')
  await subtractSpaceFromTopics(ctx.db, id)
  await ctx.db.deleteFrom('listed_feed_counts').where('space_id', '=', id).execute()
  await ctx.db.deleteFrom('spaces').where('id', '=', id).execute()
  await detachMedia(ctx, 'space', id)
  await audit(ctx, 'space.deleted', { object_type: 'space', object_id: id, details: { title, privacy } })
  const isKnown = privacy !== 'secret' && status !== 'draft'
  await ctx.emit('space.deleted', { space_id: id, ...(isKnown && { place_id: 0 }) })
}
