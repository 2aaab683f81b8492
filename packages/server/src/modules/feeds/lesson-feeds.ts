import type { WriteContext } from '../../core/context.ts'
import { type Db, lockRow, statement, statementOne } from '../../db/index.ts'
import { detachMedia } from '../media/index.ts'
import { deleteFeed, insertWithSlug } from './repository.ts'

const insert = statementOne<{ id: number }>(
  `insert into feeds (user_id, title, slug, message, message_rendered, type, content_type, privacy, status, created_at, updated_at,
   published_at, active_at, listed, lesson_id)
   values ($1, $2, $3, '', '', 'course_lesson', 'html', 'public', 'published', $4, $4, $4, $4, 0, $5)
   on conflict (slug) do nothing returning id`,
)
const rename = statement('update feeds set title = $2 where id = $1')
const ownerOf = statementOne<{ user_id: number }>('select user_id from feeds where id = $1')

interface LessonFeed {
  readonly lessonId: number
  readonly title: string
  /** Recipient of notifications about comments. */
  readonly userId: number
}

/** Creates the feed that holds the comments of a lesson. It appears in no list, search or digest and is reachable only by its id. */
export const createLessonFeed = async (db: Db, { lessonId, title, userId }: LessonFeed, now: string): Promise<number> =>
  (await insertWithSlug(title, 'lesson', false, (slug) => insert(db, [userId, title, slug, now, lessonId]))).id

export const renameLessonFeed = (db: Db, feedId: number, title: string) => rename(db, [feedId, title])

/** Deletes the feed of a lesson with its comments. Call this before deleting the lesson, whose row would delete the feed by cascade. */
export const removeLessonFeed = async (ctx: WriteContext, feedId: number): Promise<void> => {
  await lockRow(ctx.db, 'feeds', feedId)
  const feed = await ownerOf(ctx.db, [feedId])
  if (!feed) return
  await deleteFeed(ctx.db, feedId)
  await detachMedia(ctx, 'feed', feedId)
  await ctx.emit('feed.deleted', { feed_id: feedId, user_id: feed.user_id })
}
