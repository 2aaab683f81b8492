import { excerpt, plainText } from '../../content/plain-text.ts'
import type { Actor, ReadRequest, WriteRequest } from '../../core/context.ts'
import { ApiError } from '../../core/errors.ts'
import { type Db, lockRow, statementOne } from '../../db/index.ts'
import { commentFor } from '../comments/index.ts'
import { feedFor, lockFeed } from '../feeds/index.ts'
import { profileAbilities } from '../members/index.ts'
import { readPage } from '../settings/index.ts'
import type { ReportRow } from './queries.ts'

/** What can be reported, with what it says at this moment. */
export interface Target {
  readonly ownerId: number
  readonly spaceId: number | null
  readonly lessonId: number | null
  /** The feed that it is, or stands under. */
  readonly feedId: number | null
  readonly title: string
  readonly excerpt: string
}

type Kind = ReportRow['object_type']

const EXCERPT = 280

const htmlOf = statementOne<{ html: string }>('select message_rendered as html from feeds where id = $1')
const postOf = statementOne<{ post_id: number }>('select post_id from comments where id = $1')
const personBy = statementOne<{
  id: number
  status: 'active' | 'suspended' | 'banned'
  is_private: 0 | 1
  display_name: string
  short_description: string
}>('select id, status, is_private, display_name, short_description from users where id = $1')

const said = (html: string): string => excerpt(plainText(html), EXCERPT)

type Asking = Pick<ReadRequest, 'db' | 'now' | 'actor'>

const feedTarget = async (ctx: Asking, id: number): Promise<Target> => {
  const { user_id, space_id, lesson_id, title } = await feedFor(ctx, id, 'view')
  const html = (await htmlOf(ctx.db, [id]))?.html ?? ''
  return { ownerId: user_id, spaceId: space_id, lessonId: lesson_id, feedId: id, title, excerpt: said(html) }
}

const commentTarget = async (ctx: Asking, id: number): Promise<Target> => {
  const { comment, feed } = await commentFor(ctx, id, 'view')
  const { space_id: spaceId, lesson_id: lessonId, title } = feed
  return { ownerId: comment.user_id, spaceId, lessonId, feedId: feed.id, title, excerpt: said(comment.message_rendered) }
}

const personTarget = async ({ db, actor }: { db: Db; actor: Actor }, id: number): Promise<Target> => {
  const person = await personBy(db, [id])
  if (!person || !profileAbilities(actor, person, await readPage(db, 'privacy')).view) throw new ApiError('not_found')
  const { display_name: title, short_description } = person
  return { ownerId: id, spaceId: null, lessonId: null, feedId: null, title, excerpt: excerpt(short_description, EXCERPT) }
}

const TARGETS: Readonly<Record<Kind, (ctx: Asking, id: number) => Promise<Target>>> = {
  feed: feedTarget,
  comment: commentTarget,
  user: personTarget,
}

/** What the caller sees under that id. @throws not_found, the same for what is not there and for what he may not see */
export const targetFor = async (ctx: Asking, kind: Kind, id: number): Promise<Target> => {
  try {
    return await TARGETS[kind](ctx, id)
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) throw new ApiError('not_found')
    throw error
  }
}

/** Whether the caller could read it now. */
export const isReadable = (ctx: Asking, kind: Kind, id: number): Promise<boolean> =>
  targetFor(ctx, kind, id).then(
    () => true,
    (error: unknown) => {
      if (error instanceof ApiError) return false
      throw error
    },
  )

/** Holds what a report is about for the rest of the transaction: reports about the same come one after the other. */
export const lockTarget = async ({ db }: WriteRequest, kind: Kind, id: number): Promise<void> => {
  if (kind === 'user') return lockRow(db, 'users', id)
  if (kind === 'feed') return lockFeed(db, id)
  const post = await postOf(db, [id])
  if (post) await lockRow(db, 'feeds', post.post_id)
}

/** The feed that a comment stands under; undefined: it is gone. */
export const feedOfComment = async (db: Db, id: number): Promise<number | undefined> => (await postOf(db, [id]))?.post_id
