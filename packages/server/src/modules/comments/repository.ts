import { type Db, insertReturningId, statement, statementOne } from '../../db/index.ts'
import type { Content } from './content-validation.ts'
import type { CommentFor } from './view.ts'

const insert = insertReturningId(
  `insert into comments (user_id, post_id, parent_id, message, message_rendered, content_type, meta, status, created_at, updated_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9)`,
)
const save = statement(
  `update comments set message = $2, message_rendered = $3, content_type = $4, meta = $5, status = $6, is_sticky = $7, updated_at = $8,
   edited_at = $9, edited_by_moderator = $10 where id = $1`,
)
const unpin = statement('update comments set is_sticky = 0 where post_id = $1 and is_sticky = 1 and id <> $2')
const mark = statement('update comments set helpful_at = $2, helpful_by = $3 where id = $1')
const removeReplies = statement<RemovedComment>('delete from comments where parent_id = $1 returning id, user_id, status')
const remove = statement<RemovedComment>('delete from comments where id = $1 returning id, user_id, status')
const thread = statementOne<{ id: number; parent_id: number | null }>(
  `select id, parent_id from comments where id = $1 and post_id = $2 and status = 'published'`,
)
const newest = statementOne<{ created_at: string }>(
  `select created_at from comments where post_id = $1 and status = 'published' order by created_at desc, id desc limit 1`,
)
const addReactions = statement('update comments set reactions_count = reactions_count + $2 where id = $1')

type NewComment = Content & Pick<CommentFor, 'user_id' | 'post_id' | 'parent_id' | 'message_rendered' | 'status'>

export const insertComment = (db: Db, comment: NewComment, now: string): Promise<number> => {
  const { user_id, post_id, parent_id, message, message_rendered, content_type, meta, status } = comment
  return insert(db, [user_id, post_id, parent_id, message, message_rendered, content_type, JSON.stringify(meta), status, now])
}

type SavedColumn = 'id' | 'message_rendered' | 'status' | 'is_sticky' | 'updated_at' | 'edited_at' | 'edited_by_moderator'

export const saveComment = async (db: Db, comment: Content & Pick<CommentFor, SavedColumn>): Promise<void> => {
  const { id, message, message_rendered, content_type, status, is_sticky, updated_at, edited_at, edited_by_moderator } = comment
  const meta = JSON.stringify(comment.meta)
  await save(db, [id, message, message_rendered, content_type, meta, status, is_sticky, updated_at, edited_at, edited_by_moderator])
}

/** Marks a comment as helpful; null removes the mark. */
export const markComment = (db: Db, commentId: number, marked: { readonly at: string; readonly delta: number } | null) =>
  mark(db, [commentId, marked?.at ?? null, marked?.delta ?? null])

/** Unpins the comment of the feed that was pinned before. */
export const unpinOthers = (db: Db, feedId: number, commentId: number) => unpin(db, [feedId, commentId])

type RemovedComment = Pick<CommentFor, 'id' | 'user_id' | 'status'>

/** Deletes a comment with its replies. Returns the deleted rows, replies first. */
export const deleteThread = async (db: Db, commentId: number): Promise<RemovedComment[]> => {
  const replies = await removeReplies(db, [commentId])
  return [...replies, ...(await remove(db, [commentId]))]
}

/** The top-level comment that a reply to this comment belongs to; undefined if the feed has no such published comment. */
export const topOfThread = async (db: Db, feedId: number, commentId: number): Promise<number | undefined> => {
  const row = await thread(db, [commentId, feedId])
  return row && (row.parent_id ?? row.id)
}

/** The time of the newest published comment of a feed. */
export const lastCommentAt = async (db: Db, feedId: number): Promise<string | undefined> => (await newest(db, [feedId]))?.created_at

/** Changes the number of reactions. The caller holds the lock of the feed's row. */
export const countCommentReactions = async (db: Db, commentId: number, delta: number): Promise<void> => {
  await addReactions(db, [commentId, delta])
}
