import { excerpt, plainText } from '../../content/plain-text.ts'
import type { Actor, ReadRequest, WriteRequest } from '../../core/context.ts'
import { ApiError } from '../../core/errors.ts'
import { type Db, lockRow, statementOne, type UserRow } from '../../db/index.ts'
import { commentFor } from '../comments/index.ts'
import { feedFor, lockFeed } from '../feeds/index.ts'
import { profileAbilities } from '../members/index.ts'
import { readPage } from '../settings/index.ts'
import type { ReportRow } from './queries.ts'

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
export const targetFor = async (ctx: TargetRequest, kind: TargetType, id: number): Promise<Target> => {
  try {
    return await TARGETS[kind](ctx, id)
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) throw new ApiError('not_found')
    throw error
  }
}

/** Whether the caller can read the target now. */
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

/** The feed of a comment; undefined if the comment is deleted. */
export const feedOfComment = async (db: Db, id: number): Promise<number | undefined> => (await postOf(db, [id]))?.post_id
