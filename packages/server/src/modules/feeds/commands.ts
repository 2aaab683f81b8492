import type { api, BodyOf } from '@lyceum/contract'
import { isStaff, may } from '../../auth/authenticate.ts'
import type { Actor, ReadContext, ReadRequest, WriteContext, WriteRequest } from '../../core/context.ts'
import { ApiError, invalidField } from '../../core/errors.ts'
import { statement } from '../../db/index.ts'
import { audit } from '../audit/index.ts'
import {
  isModerationHold,
  type ModerationHold,
  mayRelease,
  moveReports,
  reasonOf,
  screen,
  spendNewMemberBudgets,
  updateModerationHold,
  warmPolicy,
} from '../automod/index.ts'
import { attachMedia, detachMedia } from '../media/index.ts'
import { renderMessage } from '../members/index.ts'
import { editorialReason } from '../revisions/index.ts'
import { readPage } from '../settings/index.ts'
import { lockedSpaceFor, readSettings, type SpaceFor, spaceAbilities, spaceFor, spaceIdIn } from '../spaces/index.ts'
import { setFeedTopics } from '../topics/index.ts'
import { assertUnlocked, feedAbilities, feedFor, mayHighlight, spaceContext } from './access.ts'
import { isListed, lockFeed, replacePin, updateCounts } from './counters.ts'
import { applyBody, BLANK, type Draft, metaIn } from './draft.ts'
import { changesContent, changesScreened, changesText, editFieldsOf, recordChanges } from './edits.ts'
import { type FeedAccessRow, type FeedFor, loadFeed, loadFeedAccess, parseMeta, surveyOf } from './feed-row.ts'
import { partsWithFiles, screenedParts } from './fields.ts'
import type { Survey } from './meta.ts'
import { enqueueSchedule } from './publish-jobs.ts'
import { deleteFeed, insertFeed, saveFeed } from './repository.ts'
import { updateSchedule } from './schedule-repository.ts'
import { countVoters, saveSurvey } from './surveys.ts'

type CreateBody = BodyOf<typeof api.feeds.create>
type UpdateBody = BodyOf<typeof api.feeds.update>
type Abilities = ReturnType<typeof feedAbilities>

const forbid = (condition: boolean) => {
  if (condition) throw new ApiError('rest_forbidden')
}

/** Any member may post outside of spaces unless the community disables it. @throws rest_forbidden */
const assertMayPostOutsideSpaces = async ({ db, actor }: Pick<WriteRequest, 'db' | 'actor'>) => {
  if (isStaff(actor, null) || (await readPage(db, 'general')).disable_global_posts === 'no') return
  throw new ApiError('rest_forbidden', { message: 'Feeds outside of spaces are disabled. Choose a space.' })
}

/** All parts of a feed that may refer to an uploaded file. */
const mediaIn = (draft: Draft) => {
  const { media_items } = draft.meta
  const items = Array.isArray(media_items) ? (media_items as { id?: unknown }[]) : []
  return {
    urls: partsWithFiles(draft),
    ids: items.flatMap(({ id }) => (typeof id === 'number' ? [id] : [])),
  }
}

/** A text and its HTML. Rendered before the transaction starts, because rendering would prolong it. */
export interface Rendered {
  readonly message: string
  readonly content_type: string
  readonly html: string
}

const renderText = async (
  ctx: Pick<ReadContext, 'db' | 'services'>,
  { message, content_type }: Pick<Draft, 'message' | 'content_type'>,
): Promise<Rendered> => ({
  message,
  content_type,
  html: await renderMessage(ctx, message, content_type),
})

/** @throws rest_forbidden if the draft is pinned, an announcement or prioritized and the caller may not do that here */
const authorizeHighlights = (draft: Draft, can: Abilities) => forbid(!mayHighlight(can, draft))

const postsDirectly = (actor: Actor, space: SpaceFor | null) => space === null || spaceAbilities(actor, space).postDirectly

const previewUrlOf = ({ preview }: Draft['meta']): string | undefined => (preview as { url?: string } | undefined)?.url

/** Validates the body of a new feed and renders its HTML. @throws invalid_content, invalid_url, invalid_scheduled_time, invalid_data */
export const prepareFeed = async (ctx: ReadRequest, body: CreateBody) => {
  const asked = applyBody(BLANK, {}, body, ctx)
  await warmPolicy(ctx)
  const rendered = await renderText(ctx, asked)
  await spendNewMemberBudgets(ctx, { ...rendered, card: previewUrlOf(asked.meta) })
  return { asked, ...rendered }
}

/** The space or the community settings require approval of new posts. */
const APPROVAL_REQUIRED: ModerationHold = { status: 'pending', reason: 'rule', details: {} }

/** The reason why the content must be held for moderation; null if it can be published. */
const holdOf = (
  ctx: WriteRequest,
  draft: Draft,
  what: { id?: number; html: string; moderates: boolean; appears: boolean },
): Promise<ModerationHold | null> => screen(ctx, { kind: 'feed', author: ctx.actor, ...screenedParts(draft), ...what })

const topicContext = ({ topic_ids: requested, status }: Draft, settings: string | null | undefined, spaceId: number | null) => ({
  requested,
  spaceId,
  isRequiredBySpace: readSettings(settings ?? '{}').topic_required === 'yes',
  isDraft: status === 'draft',
})

/** Creates a feed: published, scheduled, as a draft, or held for moderation. */
export const createFeed = async (ctx: WriteRequest, body: CreateBody, { asked, html }: { asked: Draft; html: string }) => {
  const { db, actor, now } = ctx
  const spaceId = await spaceIdIn(ctx, body)
  const space = typeof spaceId === 'number' ? await lockedSpaceFor(ctx, spaceId, 'post') : null
  if (!space) await assertMayPostOutsideSpaces(ctx)
  const can = feedAbilities(actor, { ...asked, ...spaceContext(space), user_id: actor.id })
  forbid(isModerationHold(asked.status) && !can.approve)
  authorizeHighlights(asked, can)
  const appears = asked.status === 'published'
  const found = appears ? await holdOf(ctx, asked, { html, moderates: can.approve, appears }) : null
  const hold = found ?? (appears && !postsDirectly(actor, space) ? APPROVAL_REQUIRED : null)
  const draft: Draft = hold ? { ...asked, status: hold.status } : asked

  const listing = { ...draft, space_id: space?.id ?? null, listed: isListed(draft, now) }
  await replacePin(ctx, 0, null, listing)
  const isOpen = space === null || (space.privacy === 'public' && space.status !== 'draft')
  const seenByAll = isOpen && draft.status === 'published' && draft.privacy === 'public'
  const { id, slug } = await insertFeed(db, { ...listing, isPublic: seenByAll, user_id: actor.id, message_rendered: html }, now)
  const survey = surveyOf(draft.meta)
  if (survey) await saveSurvey(db, id, survey)
  await attachMedia(ctx, { source: 'feed', objectId: id, ...mediaIn(draft), isNew: true })
  await setFeedTopics(db, id, {
    ...topicContext(draft, space?.settings, listing.space_id),
    isNew: true,
    placeChanges: true,
    moderates: can.moderate,
    listed: false,
    publishedAt: now,
  })
  await updateCounts(db, id, null, listing)
  await updateModerationHold(ctx, { feedId: id, authorId: actor.id }, { before: null, after: draft.status, hold })
  await updateSchedule(ctx, id, null, draft, body)
  await enqueueSchedule(ctx, id, { scheduled_at: draft.status === 'scheduled' ? draft.scheduled_at : null, expired_at: draft.expired_at })
  if (draft.status === 'published') await ctx.emit('feed.published', { feed_id: id })
  if (draft.is_sticky) {
    await audit(ctx, 'feed.pinned', { object_type: 'feed', object_id: id, details: { author_id: actor.id, space_id: listing.space_id } })
    await ctx.emit('feed.pinned', { feed_id: id })
  }
  return { id, slug, ...draft }
}

/** Fields that callers without the `edit` ability may still change if they have the matching permission. */
const FEATURE_FIELDS = new Set(['featured_image', 'priority'])
const PIN_FIELDS = new Set(['is_sticky', 'priority', 'type'])
const APPROVE_FIELDS = new Set(['status'])

const authorize = (actor: Actor, feed: FeedFor, body: UpdateBody, draft: Draft) => {
  const can = feedAbilities(actor, feed)
  const own = feed.user_id === actor.id
  const sent = Object.keys(body).filter((key) => key !== 'reason' && body[key as keyof UpdateBody] !== undefined)
  const covers = (fields: ReadonlySet<string>) => sent.length > 0 && sent.every((field) => fields.has(field))
  const features = may(actor, 'feature_content', feed.space_id)
  const partly = (features && covers(FEATURE_FIELDS)) || (can.pin && covers(PIN_FIELDS)) || (can.approve && covers(APPROVE_FIELDS))
  forbid(!can.edit && !partly)
  forbid(draft.is_sticky !== feed.is_sticky && !can.pin)
  forbid(draft.type !== feed.type && (draft.type === 'announcement' || feed.type === 'announcement') && !can.pin)
  forbid(draft.priority !== feed.priority && !can.feature)
  forbid(draft.privacy !== feed.privacy && !own)
  const intoOrOutOfHold = draft.status !== feed.status && (isModerationHold(draft.status) || isModerationHold(feed.status))
  forbid(intoOrOutOfHold && !can.approve)
  forbid(draft.status !== feed.status && !intoOrOutOfHold && !own && !can.moderate)
}

const hasSameOptions = (a: Survey, b: Survey) =>
  JSON.stringify([a.options, a.allow_multiple]) === JSON.stringify([b.options, b.allow_multiple])

/** Options are frozen after the first vote; the rest of a survey may change. */
const changeSurvey = async (ctx: WriteRequest, feedId: number, before: Survey | null, after: Survey | null) => {
  if (before && after && hasSameOptions(before, after)) return
  if (!before && !after) return
  if (before && (await countVoters(ctx.db, [feedId])) > 0)
    throw invalidField('meta.survey', 'cannot change the options after the first vote')
  await saveSurvey(ctx.db, feedId, after)
}

/** The space to move the feed to: null means out of spaces, undefined means no move. The caller must be allowed to post there. */
const targetSpace = async (ctx: WriteRequest, feed: FeedFor, spaceId: number | null | undefined): Promise<SpaceFor | null | undefined> => {
  if (spaceId === undefined || spaceId === feed.space_id) return undefined
  return spaceId === null ? null : spaceFor(ctx, spaceId, 'post')
}

/**
 * The draft as it may appear to a new audience. Pin and priority are kept only where the caller may grant them. Another member's feed can
 * be moved only to where the caller moderates, so that nobody widens the audience its author chose.
 */
const draftForAudience = (actor: Actor, place: FeedFor, body: UpdateBody, asked: Draft): Draft => {
  const can = feedAbilities(actor, { ...place, ...asked })
  forbid(place.user_id !== actor.id && !can.moderate)
  const draft: Draft = {
    ...asked,
    is_sticky: can.pin || body.is_sticky ? asked.is_sticky : 0,
    priority: can.feature || body.priority ? asked.priority : 0,
  }
  authorizeHighlights(draft, can)
  return draft
}

/** Resolves the draft for its location after the change: whatever becomes visible in a space follows the rules of that space. */
const resolveDraft = async (
  ctx: WriteRequest,
  feed: FeedFor,
  body: UpdateBody,
  asked: Draft,
  { target, place }: { target: SpaceFor | null | undefined; place: FeedFor },
): Promise<Draft> => {
  const moved = target !== undefined
  const appears = isListed(asked, ctx.now) && !feed.listed && !isModerationHold(feed.status)
  const draft = moved || appears ? draftForAudience(ctx.actor, place, body, asked) : asked
  if (draft.status !== 'published' || (feed.status === 'published' && !moved)) return draft
  // Releasing a feed from moderation is a decision for the feed's own space.
  const own = feed.space_id === null || isModerationHold(feed.status) ? null : feed.space_id
  const space = moved ? target : own === null ? null : await spaceFor(ctx, own, 'post')
  return postsDirectly(ctx.actor, space) ? draft : { ...draft, status: 'pending' }
}

/** Loads a feed for an update. @throws feed_not_found unless the caller can see it */
const visibleFeed = async (ctx: ReadRequest, feedId: number): Promise<FeedFor> => {
  const feed = await loadFeed(ctx.db, feedId, ctx.actor.id)
  if (!feed || !feedAbilities(ctx.actor, feed).view) throw new ApiError('feed_not_found')
  await assertUnlocked(ctx, feed, 'feed_not_found')
  // Lesson feeds change only with their lesson.
  forbid(feed.lesson_id !== null)
  return feed
}

const applyTo = (ctx: ReadRequest, feed: FeedFor, body: UpdateBody): Draft =>
  applyBody(feed as Omit<Draft, 'meta' | 'topic_ids'>, parseMeta(feed.meta), body, ctx)

/** Renders the new HTML if the body changes the text; null otherwise. */
export const prepareUpdate = async (ctx: ReadRequest, feedId: number, body: UpdateBody): Promise<Rendered | null> => {
  await warmPolicy(ctx)
  const textSent = body.message !== undefined || body.content_type !== undefined
  if (!textSent && Object.keys(metaIn(body)).length === 0) return null
  const feed = await visibleFeed(ctx, feedId)
  const before = { ...feed, html: feed.message_rendered, card: previewUrlOf(parseMeta(feed.meta)) }
  // A caller who may not edit the text may still change some of the meta; the write checks that.
  const { edit } = feedAbilities(ctx.actor, feed)
  if (!textSent && !edit) return null
  forbid(!edit)
  const draft = applyTo(ctx, feed, body)
  const rendered = textSent ? await renderText(ctx, draft) : null
  await spendNewMemberBudgets(ctx, { ...(rendered ?? before), card: previewUrlOf(draft.meta) }, before)
  return rendered
}

/** HTML for the saved text. Renders again if a concurrent write changed the text. */
const htmlOf = async (ctx: ReadContext, feed: FeedFor, draft: Draft, rendered: Rendered | null): Promise<string> => {
  const isTextOf = (other: { message: string; content_type: string }) =>
    other.message === draft.message && other.content_type === draft.content_type
  if (isTextOf(feed)) return feed.message_rendered
  return rendered && isTextOf(rendered) ? rendered.html : (await renderText(ctx, draft)).html
}

/** Why the changed feed must be held for moderation; null if it need not be or was not meant to be published. */
const holdOfChange = async (
  ctx: WriteRequest,
  feed: FeedFor,
  resolved: Draft,
  { asked, place, html }: { asked: Draft; place: FeedFor; html: string },
): Promise<ModerationHold | null> => {
  if (resolved.status !== asked.status) return APPROVAL_REQUIRED
  // A feed that moves is screened again: its author may have been allowed to skip approval at the old location.
  const appears = feed.status !== 'published' || place !== feed
  if (resolved.status !== 'published' || (!appears && !changesScreened(feed, resolved))) return null
  const { approve } = feedAbilities(ctx.actor, place)
  return holdOf(ctx, resolved, { id: feed.id, html, moderates: approve, appears })
}

/** A feed held because its author lost the right to highlight it loses its highlights, unless the caller may grant them. */
const withoutHighlights = async ({ db, actor }: WriteRequest, feed: FeedFor, asked: Draft): Promise<Draft> => {
  const can = feedAbilities(actor, feed)
  if (mayHighlight(can, asked) || (await reasonOf(db, { feedId: feed.id })) !== 'rights') return asked
  const type = asked.type === 'announcement' && !can.pin ? 'feed' : asked.type
  return { ...asked, type, is_sticky: can.pin ? asked.is_sticky : 0, priority: can.feature ? asked.priority : 0 }
}

export const updateFeed = async (ctx: WriteRequest, feedId: number, body: UpdateBody, rendered: Rendered | null) => {
  const { db, now } = ctx
  const spaceId = await spaceIdIn(ctx, body)
  await lockFeed(db, feedId, spaceId)
  const feed = await visibleFeed(ctx, feedId)
  const wanted = applyTo(ctx, feed, body)
  authorize(ctx.actor, feed, body, wanted)
  const released = isModerationHold(feed.status) && wanted.status !== feed.status
  forbid(released && !(await mayRelease(ctx, { feedId, authorId: feed.user_id })))
  const asked = released ? await withoutHighlights(ctx, feed, wanted) : wanted
  const target = await targetSpace(ctx, feed, spaceId)
  /** The feed at its new place; the same object if it does not move. */
  const place = target === undefined ? feed : { ...feed, ...spaceContext(target) }
  const { space_id } = place
  const resolved = await resolveDraft(ctx, feed, body, asked, { target, place })
  const message_rendered = await htmlOf(ctx, feed, resolved, rendered)
  const hold = await holdOfChange(ctx, feed, resolved, { asked, place, html: message_rendered })
  const draft: Draft = hold ? { ...resolved, status: hold.status } : resolved
  const byAuthor = feed.user_id === ctx.actor.id
  const edited = changesContent(feed, draft)
  const reason = edited && !byAuthor ? editorialReason(body.reason) : null

  const becomesPublished = draft.status === 'published' && feed.status !== 'published'
  const textChanged = changesText(feed, draft)
  const published_at = becomesPublished ? now : feed.published_at
  const active_at = becomesPublished || textChanged ? now : feed.active_at
  const editFields = editFieldsOf(feed, edited, { byAuthor, now })
  const after = { ...draft, ...editFields, id: feedId, space_id, message_rendered, published_at, active_at, listed: isListed(draft, now) }
  await changeSurvey(ctx, feedId, surveyOf(parseMeta(feed.meta)), surveyOf(draft.meta))
  await replacePin(ctx, feedId, feed, after)
  await saveFeed(db, after, textChanged, now)
  await attachMedia(ctx, { source: 'feed', objectId: feedId, ...mediaIn(draft) })
  await setFeedTopics(db, feedId, {
    ...topicContext(draft, place.s_settings, space_id),
    isNew: false,
    placeChanges: target !== undefined || (feed.status === 'draft' && draft.status !== 'draft'),
    moderates: feedAbilities(ctx.actor, place).moderate,
    listed: feed.listed === 1,
    publishedAt: published_at,
  })
  await updateCounts(db, feedId, feed, after)
  await updateModerationHold(ctx, { feedId, authorId: feed.user_id }, { before: feed.status, after: draft.status, hold })
  if (target !== undefined) await moveReports(db, [feedId, space_id])
  await updateSchedule(ctx, feedId, feed, draft, body)
  await recordChanges(ctx, feed, after, reason)
  await announce(ctx, feed, { ...draft, space_id })
  return { id: feedId, ...draft, updated_at: now, held: draft.status !== asked.status }
}

/**
 * Location of a feed, for event listeners that notify those who could see it there. `place_id` is set where everyone who sees the place saw
 * the feed.
 */
const locationOf = ({ space_id, status, privacy }: Pick<FeedAccessRow, 'space_id' | 'status' | 'privacy'>) => ({
  ...(space_id && { space_id }),
  ...(status === 'published' && privacy === 'public' && { place_id: space_id ?? 0 }),
})

const announce = async (ctx: WriteRequest, feed: FeedFor, draft: Draft & Pick<FeedFor, 'space_id'>) => {
  const feed_id = feed.id
  await enqueueSchedule(ctx, feed_id, {
    scheduled_at: draft.status === 'scheduled' && draft.scheduled_at !== feed.scheduled_at ? draft.scheduled_at : null,
    expired_at: draft.expired_at === feed.expired_at ? null : draft.expired_at,
  })
  const left = draft.space_id !== feed.space_id || draft.privacy !== feed.privacy ? locationOf(feed) : {}
  if (draft.status === 'published' && feed.status === 'published') await ctx.emit('feed.updated', { feed_id, ...left })
  if (draft.status === 'published' && feed.status !== 'published') await ctx.emit('feed.published', { feed_id })
  if (feed.status === 'published' && draft.status !== 'published') await ctx.emit('feed.hidden', { feed_id, ...locationOf(feed) })
  if (draft.is_sticky !== feed.is_sticky) await ctx.emit(draft.is_sticky ? 'feed.pinned' : 'feed.unpinned', { feed_id })
}

/** Deletes a feed with its comments, reactions, votes and media. */
export const removeFeed = async (ctx: WriteRequest, feedId: number): Promise<void> => {
  await lockFeed(ctx.db, feedId)
  const feed = await feedFor(ctx, feedId, 'remove')
  await deleteWithDependents(ctx, feed)
  if (feed.user_id === ctx.actor.id) return
  const { user_id: author_id, space_id, status } = feed
  await audit(ctx, 'feed.removed', { object_type: 'feed', object_id: feedId, details: { author_id, space_id, status } })
}

const deleteWithDependents = async (ctx: WriteContext, feed: FeedAccessRow): Promise<void> => {
  await updateCounts(ctx.db, feed.id, feed, null)
  await deleteFeed(ctx.db, feed.id)
  await detachMedia(ctx, 'feed', feed.id)
  const isDraft = feed.status === 'draft' || feed.status === 'scheduled'
  await ctx.emit('feed.deleted', { feed_id: feed.id, user_id: feed.user_id, ...locationOf(feed), ...(isDraft && { draft_id: feed.id }) })
}

const unpublish = statement('update feeds set status = $2, listed = 0 where id = $1')

/** Locks and loads a feed without a viewer; undefined for lesson feeds. */
const lockNonLessonFeed = async ({ db }: WriteContext, feedId: number): Promise<FeedAccessRow | undefined> => {
  await lockFeed(db, feedId)
  const feed = await loadFeedAccess(db, feedId, 0)
  return feed?.lesson_id === null ? feed : undefined
}

/** Deletes a feed after a moderation decision. Returns false if it does not exist or belongs to a lesson. */
export const takeDownFeed = async (ctx: WriteContext, feedId: number): Promise<boolean> => {
  const feed = await lockNonLessonFeed(ctx, feedId)
  if (feed) await deleteWithDependents(ctx, feed)
  return feed !== undefined
}

/** Hides a published feed until a moderator has decided. Returns false if it is not published or belongs to a lesson. */
export const hideFeed = async (ctx: WriteContext, feedId: number, hold: ModerationHold): Promise<boolean> => {
  const feed = await lockNonLessonFeed(ctx, feedId)
  if (feed?.status !== 'published') return false
  await unpublish(ctx.db, [feedId, hold.status])
  await updateCounts(ctx.db, feedId, feed, null)
  await updateModerationHold(ctx, { feedId, authorId: feed.user_id }, { before: feed.status, after: hold.status, hold })
  await ctx.emit('feed.hidden', { feed_id: feedId, ...locationOf(feed) })
  return true
}
