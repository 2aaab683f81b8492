import { excerpt, plainText } from '@lyceum/content'
import type { api, BodyOf } from '@lyceum/contract'
import type { Actor, ReadRequest, WriteRequest } from '../../core/context.ts'
import { ApiError, invalidField } from '../../core/errors.ts'
import { type Db, lockRow, statementOne, type UserRow } from '../../db/index.ts'
import { type ModerationHold, readConfig } from '../automod/index.ts'
import { commentFor, hideComment } from '../comments/index.ts'
import { feedFor, hideFeed, lockFeed } from '../feeds/index.ts'
import { profileAbilities } from '../members/index.ts'
import { readPage } from '../settings/index.ts'
import { countReporters, putReport, type ReportRow } from './queries.ts'

/** An object that can be reported, with its current text. */
interface Target extends Pick<ReportRow, 'reported_user_id' | 'space_id' | 'lesson_id' | 'title' | 'excerpt'> {
  /** The feed itself, or the feed of a comment. */
  readonly feedId: number | null
}

type TargetType = ReportRow['object_type']

const EXCERPT_LENGTH = 280

const htmlOf = statementOne<{ html: string }>('select message_rendered as html from feeds where id = $1')
const postOf = statementOne<{ post_id: number }>('select post_id from comments where id = $1')
const personBy = statementOne<Pick<UserRow, 'id' | 'status' | 'is_private' | 'display_name' | 'short_description'>>(
  'select id, status, is_private, display_name, short_description from users where id = $1',
)

const excerptOf = (html: string): string => excerpt(plainText(html), EXCERPT_LENGTH)

type TargetRequest = Pick<ReadRequest, 'db' | 'now' | 'actor'>

const feedTarget = async (ctx: TargetRequest, id: number): Promise<Target> => {
  const { user_id, space_id, lesson_id, title } = await feedFor(ctx, id, 'view')
  const html = (await htmlOf(ctx.db, [id]))?.html ?? ''
  return { reported_user_id: user_id, space_id, lesson_id, feedId: id, title, excerpt: excerptOf(html) }
}

const commentTarget = async (ctx: TargetRequest, id: number): Promise<Target> => {
  const { comment, feed } = await commentFor(ctx, id, 'view')
  const { space_id, lesson_id, title } = feed
  return { reported_user_id: comment.user_id, space_id, lesson_id, feedId: feed.id, title, excerpt: excerptOf(comment.message_rendered) }
}

const personTarget = async ({ db, actor }: { db: Db; actor: Actor }, id: number): Promise<Target> => {
  const person = await personBy(db, [id])
  if (!person || !profileAbilities(actor, person, await readPage(db, 'privacy')).view) throw new ApiError('not_found')
  const { display_name: title, short_description } = person
  return { reported_user_id: id, space_id: null, lesson_id: null, feedId: null, title, excerpt: excerpt(short_description, EXCERPT_LENGTH) }
}

const TARGETS: Readonly<Record<TargetType, (ctx: TargetRequest, id: number) => Promise<Target>>> = {
  feed: feedTarget,
  comment: commentTarget,
  user: personTarget,
}

/** The target with that id, if the caller can see it. @throws not_found, the same for missing and hidden targets */
const targetFor = async (ctx: TargetRequest, kind: TargetType, id: number): Promise<Target> => {
  try {
    return await TARGETS[kind](ctx, id)
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) throw new ApiError('not_found')
    throw error
  }
}

export const isReadable = (ctx: TargetRequest, kind: TargetType, id: number): Promise<boolean> =>
  targetFor(ctx, kind, id).then(
    () => true,
    (error: unknown) => {
      if (error instanceof ApiError) return false
      throw error
    },
  )

/** Locks the target until the transaction ends, so that reports about it are serialized. */
export const lockTarget = async ({ db }: WriteRequest, kind: TargetType, id: number): Promise<void> => {
  if (kind === 'user') return lockRow(db, 'users', id)
  if (kind === 'feed') return lockFeed(db, id)
  const post = await postOf(db, [id])
  if (post) await lockRow(db, 'feeds', post.post_id)
}

export const feedOfComment = async (db: Db, id: number): Promise<number | undefined> => (await postOf(db, [id]))?.post_id

type Body = BodyOf<typeof api.moderation.report>

/** Hides published content once enough people have reported it. The caller holds the lock of its row, so this happens once. */
const hideReported = async (ctx: WriteRequest, { object_type, object_id }: ReportRow, feedId: number | null): Promise<void> => {
  if (object_type === 'user' || feedId === null) return
  const { auto_hide_threshold: threshold } = (await readConfig(ctx.db)).report_thresholds
  if (threshold === 0) return
  const reporters = await countReporters(ctx.db, [object_type, object_id])
  if (reporters < threshold) return
  const hold: ModerationHold = { status: 'pending', reason: 'reports', details: { reporters } }
  if (object_type === 'feed') await hideFeed(ctx, object_id, hold)
  else await hideComment(ctx, feedId, object_id, hold)
}

/**
 * Reports something the caller can see, or updates their earlier report about it. @returns the report, and whether it is new
 * @throws not_found, invalid_data
 */
export const createReport = async (ctx: WriteRequest, body: Body): Promise<{ row: ReportRow; isNew: boolean }> => {
  const { db, actor, now } = ctx
  const { object_type, object_id, reason } = body
  const description = body.description?.trim() ?? ''
  if (reason === 'other' && description === '') throw invalidField('description', 'is required for the reason other')
  await lockTarget(ctx, object_type, object_id)
  const { feedId, ...target } = await targetFor(ctx, object_type, object_id)
  if (target.reported_user_id === actor.id) throw invalidField('object_id', object_type === 'user' ? 'is you' : 'is your own')
  const stored = await putReport(db, { ...target, reporter_id: actor.id, object_type, object_id, reason, description }, now)
  if (!stored) throw new ApiError('conflict')
  await ctx.emit(stored.isNew ? 'report.created' : 'report.updated', { report_id: stored.row.id })
  if (stored.isNew) await hideReported(ctx, stored.row, feedId)
  return stored
}
