import type { api, BodyOf } from '@lyceum/contract'
import { isStaff, may } from '../../auth/permissions.ts'
import type { Actor, ReadRequest, WriteContext, WriteRequest } from '../../core/context.ts'
import { ApiError, invalidField } from '../../core/errors.ts'
import { type Db, statement } from '../../db/index.ts'
import { audit } from '../audit/index.ts'
import { type Hold, isHeld, mayRelease, moveReports, reasonOf, resolveHold, screen, spendEarly, warmPolicy } from '../automod/index.ts'
import { attachMedia, detachMedia } from '../media/index.ts'
import { renderMessage } from '../members/index.ts'
import { editorialReason } from '../revisions/index.ts'
import { readPage } from '../settings/index.ts'
import { lockedSpaceFor, type SpaceFor, spaceAbilities, spaceFor, spaceIdIn } from '../spaces/index.ts'
import { type AccessContext, assertUnlocked, feedAbilities, feedFor, mayMark, standingIn } from './access.ts'
import { applyBody, BLANK, type Draft } from './draft.ts'
import { changesContent, editMarks, recordChanges } from './edits.ts'
import { type FeedFor, type FeedStanding, loadFeed, loadStanding } from './feed-row.ts'
import { isListed, lockFeed, recount, takePin } from './list-counters.ts'
import { parseMeta, type Survey, surveyOf } from './meta.ts'
import { plan } from './publish-jobs.ts'
import { deleteFeed, insertFeed, saveFeed } from './repository.ts'
import { keepSchedule } from './schedule-repository.ts'
import { countVoters, saveSurvey } from './surveys.ts'
import { reconcileFeedTopics } from './topics.ts'

type CreateBody = BodyOf<typeof api.feeds.create>
type UpdateBody = BodyOf<typeof api.feeds.update>
type Abilities = ReturnType<typeof feedAbilities>

const forbid = (condition: boolean) => {
  if (condition) throw new ApiError('rest_forbidden')
}

/** Outside of spaces everybody may post, unless the community wants it otherwise. @throws rest_forbidden */
const checkOutside = async ({ db, actor }: Pick<WriteRequest, 'db' | 'actor'>) => {
  if (isStaff(actor, null) || (await readPage(db, 'general')).disable_global_posts === 'no') return
  throw new ApiError('rest_forbidden', { message: 'Feeds outside of spaces are disabled. Choose a space.' })
}

/** Everything of a feed that may refer to an uploaded file. */
const mediaIn = ({ message, featured_image, meta }: Draft) => {
  const items = Array.isArray(meta['media_items']) ? (meta['media_items'] as { id?: unknown }[]) : []
  return {
    urls: [message, featured_image, JSON.stringify(meta)],
    ids: items.flatMap(({ id }) => (typeof id === 'number' ? [id] : [])),
  }
}

/** A text and its HTML: rendered before the transaction, which it would hold up. */
export interface Rendered {
  readonly message: string
  readonly content_type: string
  readonly html: string
}

const renderText = async (db: Db, { message, content_type }: Pick<Draft, 'message' | 'content_type'>): Promise<Rendered> => ({
  message,
  content_type,
  html: await renderMessage(db, message, content_type),
})

/** What stands out from other feeds is for those who may pin, or feature, where it stands. */
const authorizeDisplay = (draft: Draft, can: Abilities) => forbid(!mayMark(can, draft))

const postsDirectly = (actor: Actor, space: SpaceFor | null) => space === null || spaceAbilities(actor, space).postDirectly

/** Where the link card of a post leads. */
const cardOf = ({ preview }: Draft['meta']): string | undefined => (preview as { url?: string } | undefined)?.url

/** What a body makes of nothing, and its HTML. @throws invalid_content, invalid_url, invalid_scheduled_time, invalid_data */
export const prepareFeed = async (ctx: ReadRequest, body: CreateBody) => {
  const asked = applyBody(BLANK, {}, body, ctx.now)
  await warmPolicy(ctx)
  const rendered = await renderText(ctx.db, asked)
  await spendEarly(ctx, { ...rendered, card: cardOf(asked.meta) })
  return { asked, ...rendered }
}

/** A space, or the settings, ask that somebody looks first. */
const BY_RULE: Hold = { status: 'pending', reason: 'rule', details: {} }

interface Appearing {
  readonly id?: number
  readonly html: string
  readonly decides: boolean
  readonly appears: boolean
}

/** Why what is to be published must wait; null: it need not. */
const holdOf = (ctx: WriteRequest, { title, meta, featured_image }: Draft, what: Appearing): Promise<Hold | null> =>
  screen(ctx, { kind: 'feed', author: ctx.actor, title, meta, featuredImage: featured_image, ...what })

/** Publishes a feed, or keeps it as a draft or for later. */
export const createFeed = async (ctx: WriteRequest, body: CreateBody, { asked, html }: { asked: Draft; html: string }) => {
  const { db, actor, now } = ctx
  const spaceId = await spaceIdIn(ctx, body)
  const space = typeof spaceId === 'number' ? await lockedSpaceFor(ctx, spaceId, 'post') : null
  if (!space) await checkOutside(ctx)
  const can = feedAbilities(actor, { ...asked, ...standingIn(space), user_id: actor.id })
  forbid(isHeld(asked.status) && !can.approve)
  authorizeDisplay(asked, can)
  const appears = asked.status === 'published'
  const found = appears ? await holdOf(ctx, asked, { html, decides: can.approve, appears }) : null
  const hold = found ?? (appears && !postsDirectly(actor, space) ? BY_RULE : null)
  const draft: Draft = hold ? { ...asked, status: hold.status } : asked

  const listing = { ...draft, space_id: space?.id ?? null, listed: isListed(draft, now) }
  await takePin(ctx, 0, null, listing)
  const isOpen = space === null || (space.privacy === 'public' && space.status !== 'draft')
  const seenByAll = isOpen && draft.status === 'published' && draft.privacy === 'public'
  const { id, slug } = await insertFeed(db, { ...listing, seenByAll, user_id: actor.id, message_rendered: html }, now)
  const survey = surveyOf(draft.meta)
  if (survey) await saveSurvey(db, id, survey)
  await attachMedia(ctx, { source: 'feed', objectId: id, ...mediaIn(draft), isNew: true })
  await reconcileFeedTopics(db, id, {
    asked: draft.topic_ids,
    spaceId: listing.space_id,
    settings: space?.settings ?? null,
    moderates: can.moderate,
    isNew: true,
    stays: false,
    status: draft.status,
    listed: false,
    publishedAt: now,
  })
  await recount(db, id, null, listing)
  await resolveHold(ctx, { feedId: id, authorId: actor.id }, { before: null, after: draft.status, hold })
  await keepSchedule(ctx, id, null, draft, body)
  await plan(ctx, id, { scheduled_at: draft.status === 'scheduled' ? draft.scheduled_at : null, expired_at: draft.expired_at })
  if (draft.status === 'published') await ctx.emit('feed.published', { feed_id: id })
  if (draft.is_sticky) {
    await audit(ctx, 'feed.pinned', { object_type: 'feed', object_id: id, details: { author_id: actor.id, space_id: listing.space_id } })
    await ctx.emit('feed.pinned', { feed_id: id })
  }
  return { id, slug, ...draft }
}

/** What a caller who may not edit a feed may still set, given the right permission. */
const FEATURED = new Set(['featured_image', 'priority'])
const PINNED = new Set(['is_sticky', 'priority', 'type'])
const MODERATED = new Set(['status'])

const authorize = (actor: Actor, feed: FeedFor, body: UpdateBody, draft: Draft) => {
  const can = feedAbilities(actor, feed)
  const own = feed.user_id === actor.id
  const sent = Object.keys(body).filter((key) => key !== 'reason' && body[key as keyof UpdateBody] !== undefined)
  const covers = (fields: ReadonlySet<string>) => sent.length > 0 && sent.every((field) => fields.has(field))
  const features = may(actor, 'feature_content', feed.space_id)
  const partly = (features && covers(FEATURED)) || (can.pin && covers(PINNED)) || (can.approve && covers(MODERATED))
  forbid(!can.edit && !partly)
  forbid(draft.is_sticky !== feed.is_sticky && !can.pin)
  forbid(draft.type !== feed.type && (draft.type === 'announcement' || feed.type === 'announcement') && !can.pin)
  forbid(draft.priority !== feed.priority && !can.feature)
  forbid(draft.privacy !== feed.privacy && !own)
  const intoOrOutOfHold = draft.status !== feed.status && (isHeld(draft.status) || isHeld(feed.status))
  forbid(intoOrOutOfHold && !can.approve)
  forbid(draft.status !== feed.status && !intoOrOutOfHold && !own && !can.moderate)
}

const sameOptions = (a: Survey, b: Survey) =>
  JSON.stringify([a.options, a.allow_multiple]) === JSON.stringify([b.options, b.allow_multiple])

/** Options are frozen once somebody voted; the rest of a survey may change. */
const changeSurvey = async (ctx: WriteRequest, feedId: number, before: Survey | null, after: Survey | null) => {
  if (before && after && sameOptions(before, after)) return
  if (!before && !after) return
  if (before && (await countVoters(ctx.db, feedId)) > 0) throw invalidField('meta.survey', 'cannot change the options after the first vote')
  await saveSurvey(ctx.db, feedId, after)
}

/** The space that a feed is moved to, if it is (null: out of spaces): the mover must be allowed to post there. */
const targetSpace = async (ctx: WriteRequest, feed: FeedFor, spaceId: number | null | undefined): Promise<SpaceFor | null | undefined> => {
  if (spaceId === undefined || spaceId === feed.space_id) return undefined
  return spaceId === null ? null : spaceFor(ctx, spaceId, 'post')
}

/**
 * What a feed is that comes before other people: pin and priority go along only where the caller may give them, and another's feed is moved
 * only to where he moderates, so that nobody widens the circle that its author chose.
 */
const carry = (actor: Actor, feed: FeedFor, body: UpdateBody, asked: Draft, place: Omit<AccessContext, keyof Draft | 'user_id'>): Draft => {
  const can = feedAbilities(actor, { ...place, ...asked, user_id: feed.user_id })
  forbid(feed.user_id !== actor.id && !can.moderate)
  const draft: Draft = {
    ...asked,
    is_sticky: can.pin || body.is_sticky ? asked.is_sticky : 0,
    priority: can.feature || body.priority ? asked.priority : 0,
  }
  authorizeDisplay(draft, can)
  return draft
}

/** What a change comes to where the feed then stands: whatever appears in a space follows the rules of that space. */
const settle = async (
  ctx: WriteRequest,
  feed: FeedFor,
  body: UpdateBody,
  asked: Draft,
  target: SpaceFor | null | undefined,
): Promise<Draft> => {
  const moved = target !== undefined
  const appears = isListed(asked, ctx.now) && !feed.listed && !isHeld(feed.status)
  const draft = moved || appears ? carry(ctx.actor, feed, body, asked, moved ? standingIn(target) : feed) : asked
  if (draft.status !== 'published' || (feed.status === 'published' && !moved)) return draft
  // Whoever takes a feed out of hold decides for its space.
  const own = feed.space_id === null || isHeld(feed.status) ? null : feed.space_id
  const space = moved ? target : own === null ? null : await spaceFor(ctx, own, 'post')
  return postsDirectly(ctx.actor, space) ? draft : { ...draft, status: 'pending' }
}

/** A feed as it is to be changed, which the caller sees. @throws feed_not_found */
const visibleFeed = async (ctx: ReadRequest, feedId: number): Promise<FeedFor> => {
  const feed = await loadFeed(ctx.db, feedId, ctx.actor.id)
  if (!feed || !feedAbilities(ctx.actor, feed).view) throw new ApiError('feed_not_found')
  await assertUnlocked(ctx, feed, 'feed_not_found')
  // It changes with its lesson.
  forbid(feed.lesson_id !== null)
  return feed
}

const applyTo = (feed: FeedFor, body: UpdateBody, now: string): Draft =>
  applyBody(feed as Omit<Draft, 'meta' | 'topic_ids'>, parseMeta(feed.meta), body, now)

/** The new HTML of a feed whose text is sent; null where it is not. */
export const prepareUpdate = async (ctx: ReadRequest, feedId: number, body: UpdateBody): Promise<Rendered | null> => {
  await warmPolicy(ctx)
  const says = body.message !== undefined || body.content_type !== undefined
  if (!says && body.meta === undefined) return null
  const feed = await visibleFeed(ctx, feedId)
  const before = { ...feed, html: feed.message_rendered, card: cardOf(parseMeta(feed.meta)) }
  // Whoever may not edit it may change some of its meta; the write decides about that.
  const { edit } = feedAbilities(ctx.actor, feed)
  if (!says && !edit) return null
  forbid(!edit)
  const draft = applyTo(feed, body, ctx.now)
  const rendered = says ? await renderText(ctx.db, draft) : null
  await spendEarly(ctx, { ...(rendered ?? before), card: cardOf(draft.meta) }, before)
  return rendered
}

/** The HTML of the text that is saved; rendered anew where another write came in between. */
const htmlOf = async (db: Db, feed: FeedFor, draft: Draft, rendered: Rendered | null): Promise<string> => {
  const isTextOf = (other: { message: string; content_type: string }) =>
    other.message === draft.message && other.content_type === draft.content_type
  if (isTextOf(feed)) return feed.message_rendered
  return rendered && isTextOf(rendered) ? rendered.html : (await renderText(db, draft)).html
}

/** Why a change is not seen by everybody yet; null: it is, or was not meant to be. */
const holdOfChange = async (
  ctx: WriteRequest,
  feed: FeedFor,
  settled: Draft,
  { asked, target, html }: { asked: Draft; target: SpaceFor | null | undefined; html: string },
): Promise<Hold | null> => {
  if (settled.status !== asked.status) return BY_RULE
  const says = ({ title, message, content_type, featured_image }: Draft | FeedFor) => [title, message, content_type, featured_image]
  const same = JSON.stringify([says(feed), parseMeta(feed.meta)]) === JSON.stringify([says(settled), settled.meta])
  // Whoever moves it may have decided himself where it stood.
  const appears = feed.status !== 'published' || target !== undefined
  if (settled.status !== 'published' || (same && !appears)) return null
  const { approve } = feedAbilities(ctx.actor, target === undefined ? feed : { ...feed, ...standingIn(target) })
  return holdOf(ctx, settled, { id: feed.id, html, decides: approve, appears })
}

/** What was held because its author could no longer make it stand out does so only by somebody who may. */
const unmarked = async ({ db, actor }: WriteRequest, feed: FeedFor, asked: Draft): Promise<Draft> => {
  const can = feedAbilities(actor, feed)
  if (mayMark(can, asked) || (await reasonOf(db, { feedId: feed.id })) !== 'rights') return asked
  const type = asked.type === 'announcement' && !can.pin ? 'feed' : asked.type
  return { ...asked, type, is_sticky: can.pin ? asked.is_sticky : 0, priority: can.feature ? asked.priority : 0 }
}

/** Changes what is sent of a feed. */
export const updateFeed = async (ctx: WriteRequest, feedId: number, body: UpdateBody, rendered: Rendered | null) => {
  const { db, now } = ctx
  const spaceId = await spaceIdIn(ctx, body)
  await lockFeed(db, feedId, spaceId)
  const feed = await visibleFeed(ctx, feedId)
  const wanted = applyTo(feed, body, now)
  authorize(ctx.actor, feed, body, wanted)
  const released = isHeld(feed.status) && wanted.status !== feed.status
  forbid(released && !(await mayRelease(ctx, { feedId, authorId: feed.user_id })))
  const asked = released ? await unmarked(ctx, feed, wanted) : wanted
  const target = await targetSpace(ctx, feed, spaceId)
  const settled = await settle(ctx, feed, body, asked, target)
  const message_rendered = await htmlOf(db, feed, settled, rendered)
  const hold = await holdOfChange(ctx, feed, settled, { asked, target, html: message_rendered })
  const draft: Draft = hold ? { ...settled, status: hold.status } : settled
  const byAuthor = feed.user_id === ctx.actor.id
  const edited = changesContent(feed, draft)
  const reason = edited && !byAuthor ? editorialReason(body.reason) : null

  const space_id = target === undefined ? feed.space_id : (target?.id ?? null)
  const goesPublic = draft.status === 'published' && feed.status !== 'published'
  const reworded = draft.title !== feed.title || draft.message !== feed.message || draft.content_type !== feed.content_type
  const published_at = goesPublic ? now : feed.published_at
  const active_at = goesPublic || reworded ? now : feed.active_at
  const marks = editMarks(feed, edited, { byAuthor, now })
  const after = { ...draft, ...marks, id: feedId, space_id, message_rendered, published_at, active_at, listed: isListed(draft, now) }
  await changeSurvey(ctx, feedId, surveyOf(parseMeta(feed.meta)), surveyOf(draft.meta))
  await takePin(ctx, feedId, feed, after)
  await saveFeed(db, after, reworded, now)
  await attachMedia(ctx, { source: 'feed', objectId: feedId, ...mediaIn(draft) })
  await reconcileFeedTopics(db, feedId, {
    asked: draft.topic_ids,
    spaceId: space_id,
    settings: target === undefined ? feed.s_settings : (target?.settings ?? null),
    moderates: feedAbilities(ctx.actor, target === undefined ? feed : { ...feed, ...standingIn(target) }).moderate,
    isNew: false,
    stays: target === undefined && (feed.status !== 'draft' || draft.status === 'draft'),
    status: draft.status,
    listed: feed.listed === 1,
    publishedAt: published_at,
  })
  await recount(db, feedId, feed, after)
  await resolveHold(ctx, { feedId, authorId: feed.user_id }, { before: feed.status, after: draft.status, hold })
  if (target !== undefined) await moveReports(db, feedId, space_id)
  await keepSchedule(ctx, feedId, feed, draft, body)
  await recordChanges(ctx, feed, after, reason)
  await announce(ctx, feed, { ...draft, space_id })
  const { title, status, scheduled_at } = draft
  return { id: feedId, title, status, scheduled_at, updated_at: now, held: status !== asked.status }
}

/** Where a feed stands, for those who saw it there and are to hear that it is gone; `place_id` is for all who see that place. */
const placeOf = ({ space_id, status, privacy }: Pick<FeedStanding, 'space_id' | 'status' | 'privacy'>) => ({
  ...(space_id && { space_id }),
  ...(status === 'published' && privacy === 'public' && { place_id: space_id ?? 0 }),
})

const announce = async (ctx: WriteRequest, feed: FeedFor, draft: Draft & Pick<FeedFor, 'space_id'>) => {
  const feed_id = feed.id
  await plan(ctx, feed_id, {
    scheduled_at: draft.status === 'scheduled' && draft.scheduled_at !== feed.scheduled_at ? draft.scheduled_at : null,
    expired_at: draft.expired_at === feed.expired_at ? null : draft.expired_at,
  })
  const left = draft.space_id !== feed.space_id || draft.privacy !== feed.privacy ? placeOf(feed) : {}
  if (draft.status === 'published' && feed.status === 'published') await ctx.emit('feed.updated', { feed_id, ...left })
  if (draft.status === 'published' && feed.status !== 'published') await ctx.emit('feed.published', { feed_id })
  if (feed.status === 'published' && draft.status !== 'published') await ctx.emit('feed.hidden', { feed_id, ...placeOf(feed) })
  if (draft.is_sticky !== feed.is_sticky) await ctx.emit(draft.is_sticky ? 'feed.pinned' : 'feed.unpinned', { feed_id })
}

/** Deletes a feed with everything that hangs on it. */
export const removeFeed = async (ctx: WriteRequest, feedId: number): Promise<void> => {
  await lockFeed(ctx.db, feedId)
  const feed = await feedFor(ctx, feedId, 'remove')
  await deleteWhole(ctx, feed)
  if (feed.user_id === ctx.actor.id) return
  const { user_id: author_id, space_id, status } = feed
  await audit(ctx, 'feed.removed', { object_type: 'feed', object_id: feedId, details: { author_id, space_id, status } })
}

const deleteWhole = async (ctx: WriteContext, feed: FeedStanding): Promise<void> => {
  await recount(ctx.db, feed.id, feed, null)
  await deleteFeed(ctx.db, feed.id)
  await detachMedia(ctx, 'feed', feed.id)
  const isDraft = feed.status === 'draft' || feed.status === 'scheduled'
  await ctx.emit('feed.deleted', { feed_id: feed.id, user_id: feed.user_id, ...placeOf(feed), ...(isDraft && { draft_id: feed.id }) })
}

const unpublish = statement('update feeds set status = $2, listed = 0 where id = $1')

/** A feed of no lesson as the server itself meets it, held. */
const anyFeed = async ({ db }: WriteContext, feedId: number): Promise<FeedStanding | undefined> => {
  await lockFeed(db, feedId)
  const feed = await loadStanding(db, feedId, 0)
  return feed?.lesson_id === null ? feed : undefined
}

/** Deletes a feed by a decision that was made elsewhere; false: there is none, or it is of a lesson. */
export const takeDownFeed = async (ctx: WriteContext, feedId: number): Promise<boolean> => {
  const feed = await anyFeed(ctx, feedId)
  if (feed) await deleteWhole(ctx, feed)
  return feed !== undefined
}

/** Takes a published feed out of sight until a moderator has decided; false: it is not published, or of a lesson. */
export const hideFeed = async (ctx: WriteContext, feedId: number, hold: Hold): Promise<boolean> => {
  const feed = await anyFeed(ctx, feedId)
  if (feed?.status !== 'published') return false
  await unpublish(ctx.db, [feedId, hold.status])
  await recount(ctx.db, feedId, feed, null)
  await resolveHold(ctx, { feedId, authorId: feed.user_id }, { before: feed.status, after: hold.status, hold })
  await ctx.emit('feed.hidden', { feed_id: feedId, ...placeOf(feed) })
  return true
}
