import type { api, BodyOf } from '@lyceum/contract'
import { lockRow } from '../../db/index.ts'
import type { AskedWrite } from '../../platform/context.ts'
import { ApiError, invalidField } from '../../platform/errors.ts'
import { renderMessage } from '../members/index.ts'
import { type SpaceFor, spaceAbilities, spaceFor } from '../spaces/index.ts'
import { feedAbilities, feedFor } from './access.ts'
import { applyBody, BLANK, checkMessage, type Draft } from './draft.ts'
import { countListed, isListed, relist } from './listing.ts'
import { parseMeta, type Survey, surveyOf } from './meta.ts'
import { plan } from './publish.ts'
import { type FeedFor, loadFeed } from './rows.ts'
import { deleteFeed, insertFeed, saveFeed, unpinOthers } from './store.ts'
import { countVoters, saveSurvey } from './surveys.ts'

type CreateBody = BodyOf<typeof api.feeds.create>
type UpdateBody = BodyOf<typeof api.feeds.update>

const forbid = (condition: boolean) => {
  if (condition) throw new ApiError('rest_forbidden')
}

/** Whether a space lets a moderator look at posts of plain members first. */
const needsApproval = (space: SpaceFor): boolean => (JSON.parse(space.settings) as { require_approval?: boolean }).require_approval === true

const HELD = new Set(['pending', 'spam'])
const outsideAbilities = (ctx: AskedWrite) => feedAbilities(ctx.actor, { ...BLANK, ...NOWHERE, user_id: ctx.actor.id })
const NOWHERE = { space_id: null, s_privacy: null, s_status: null, s_settings: null, my_role: null, my_status: null }

/** Publishes a feed, or keeps it as a draft or for later. */
export const createFeed = async (ctx: AskedWrite, body: CreateBody) => {
  const { db, actor, now } = ctx
  checkMessage(body.message)
  const space = body.space_id ? await spaceFor(ctx, body.space_id, 'post') : null
  const abilities = space ? spaceAbilities(actor, space) : outsideAbilities(ctx)
  const asked = applyBody(BLANK, {}, body, now)
  forbid(HELD.has(asked.status) && !abilities.approve)
  forbid((asked.is_sticky === 1 || asked.type === 'announcement') && !abilities.pin)
  forbid(asked.priority !== 0 && !abilities.feature)
  const held = space !== null && asked.status === 'published' && needsApproval(space) && !abilities.approve
  const draft: Draft = held ? { ...asked, status: 'pending' } : asked

  const listed = isListed(draft, now)
  const message_rendered = await renderMessage(db, draft.message, draft.content_type)
  if (draft.is_sticky) await unpinOthers(db, space?.id ?? null, 0)
  const { id, slug } = await insertFeed(db, { ...draft, user_id: actor.id, space_id: space?.id ?? null, message_rendered, listed }, now)
  const survey = surveyOf(draft.meta)
  if (survey) await saveSurvey(db, id, survey)
  if (listed) await countListed(db, { space_id: space?.id ?? null, privacy: draft.privacy }, 1)
  await plan(ctx, id, { scheduled_at: draft.status === 'scheduled' ? draft.scheduled_at : null, expired_at: draft.expired_at })
  if (draft.status === 'published') await ctx.emit('feed.published', { feed_id: id })
  if (draft.is_sticky) await ctx.emit('feed.pinned', { feed_id: id })
  return { id, slug, ...draft, held }
}

/** What a caller who may not edit a feed may still set, given the right permission. */
const FEATURED = new Set(['featured_image', 'priority'])
const PINNED = new Set(['is_sticky', 'priority', 'type'])
const MODERATED = new Set(['status'])

const authorize = (ctx: AskedWrite, feed: FeedFor, body: UpdateBody, draft: Draft) => {
  const abilities = feedAbilities(ctx.actor, feed)
  const own = feed.user_id === ctx.actor.id
  const sent = Object.keys(body).filter((key) => body[key as keyof UpdateBody] !== undefined)
  const covers = (fields: ReadonlySet<string>) => sent.length > 0 && sent.every((field) => fields.has(field))
  const partly = (abilities.feature && covers(FEATURED)) || (abilities.pin && covers(PINNED)) || (abilities.approve && covers(MODERATED))
  forbid(!abilities.edit && !partly)
  forbid(draft.is_sticky !== feed.is_sticky && !abilities.pin)
  forbid(draft.type !== feed.type && (draft.type === 'announcement' || feed.type === 'announcement') && !abilities.pin)
  forbid(draft.priority !== feed.priority && !abilities.feature)
  forbid(draft.privacy !== feed.privacy && !own)
  const intoOrOutOfHold = draft.status !== feed.status && (HELD.has(draft.status) || HELD.has(feed.status))
  forbid(intoOrOutOfHold && !abilities.approve)
  forbid(draft.status !== feed.status && !intoOrOutOfHold && !own && !abilities.moderate)
}

const sameOptions = (a: Survey, b: Survey) =>
  JSON.stringify([a.options, a.allow_multiple]) === JSON.stringify([b.options, b.allow_multiple])

/** Options are frozen once somebody voted; the rest of a survey may change. */
const changeSurvey = async (ctx: AskedWrite, feedId: number, before: Survey | null, after: Survey | null) => {
  if (before && after && sameOptions(before, after)) return
  if (!before && !after) return
  if (before && (await countVoters(ctx.db, feedId)) > 0) throw invalidField('meta.survey', 'options are frozen after the first vote')
  await saveSurvey(ctx.db, feedId, after)
}

/** The space that a feed is moved to, if it is: the mover must be allowed to post there. */
const targetSpace = async (ctx: AskedWrite, feed: FeedFor, spaceId: number | null | undefined): Promise<SpaceFor | null | undefined> => {
  if (spaceId === undefined || spaceId === feed.space_id) return undefined
  const { edit } = feedAbilities(ctx.actor, feed)
  forbid(!edit)
  return spaceId === null ? null : spaceFor(ctx, spaceId, 'post')
}

/** Changes what is sent of a feed. */
export const updateFeed = async (ctx: AskedWrite, feedId: number, body: UpdateBody) => {
  const { db, now } = ctx
  await lockRow(db, 'feeds', feedId)
  await feedFor(ctx, feedId, 'view')
  const feed = await loadFeed(db, feedId, ctx.actor.id)
  if (!feed) throw new ApiError('feed_not_found')
  const before = parseMeta(feed.meta)
  const asked = applyBody(feed as Omit<Draft, 'meta'>, before, body, now)
  authorize(ctx, feed, body, asked)
  const target = await targetSpace(ctx, feed, body.space_id)
  const space_id = target === undefined ? feed.space_id : (target?.id ?? null)
  const publishes = asked.status === 'published' && feed.status !== 'published'
  const place = target ?? (publishes && feed.space_id !== null ? await spaceFor(ctx, feed.space_id, 'view') : null)
  const held = place !== null && publishes && !HELD.has(feed.status) && needsApproval(place) && !spaceAbilities(ctx.actor, place).approve
  const moved = target !== undefined && feed.is_sticky === 1 && asked.is_sticky === 1
  const draft: Draft = { ...asked, ...(held && { status: 'pending' as const }), ...(moved && { is_sticky: 0 as const }) }

  const retitled = draft.title !== feed.title
  const reworded = draft.message !== feed.message || draft.content_type !== feed.content_type
  const message_rendered = reworded ? await renderMessage(db, draft.message, draft.content_type) : feed.message_rendered
  const goesPublic = publishes && !held
  if (draft.is_sticky && !feed.is_sticky) await unpinOthers(db, space_id, feedId)
  await changeSurvey(ctx, feedId, surveyOf(before), surveyOf(draft.meta))
  const published_at = goesPublic ? now : feed.published_at
  const active_at = goesPublic || reworded || retitled ? now : feed.active_at
  await saveFeed(db, { ...draft, id: feedId, space_id, message_rendered, published_at, active_at }, reworded || retitled, now)
  await relist(db, feedId, feed, { space_id, privacy: draft.privacy, listed: isListed(draft, now) })
  await announce(ctx, feed, draft)
  return { id: feedId, title: draft.title, updated_at: now, held }
}

const announce = async (ctx: AskedWrite, feed: FeedFor, draft: Draft) => {
  const feed_id = feed.id
  await plan(ctx, feed_id, {
    scheduled_at: draft.status === 'scheduled' && draft.scheduled_at !== feed.scheduled_at ? draft.scheduled_at : null,
    expired_at: draft.expired_at === feed.expired_at ? null : draft.expired_at,
  })
  if (draft.status === 'published') await ctx.emit(feed.status === 'published' ? 'feed.updated' : 'feed.published', { feed_id })
  if (feed.status === 'published' && draft.status !== 'published') await ctx.emit('feed.hidden', { feed_id })
  if (draft.is_sticky !== feed.is_sticky) await ctx.emit(draft.is_sticky ? 'feed.pinned' : 'feed.unpinned', { feed_id })
}

/** Deletes a feed with everything that hangs on it. */
export const removeFeed = async (ctx: AskedWrite, feedId: number): Promise<void> => {
  await lockRow(ctx.db, 'feeds', feedId)
  const feed = await feedFor(ctx, feedId, 'remove')
  await deleteFeed(ctx.db, feedId)
  if (feed.listed) await countListed(ctx.db, feed, -1)
  await ctx.emit('feed.deleted', { feed_id: feedId, user_id: feed.user_id })
}
