import { Type } from 'typebox'
import { Anything, Count, Datetime, Id, named, nullable, oneOf } from '../shapes/common.ts'
import { Xprofile } from '../shapes/xprofile.ts'

export const COMMENT_STATUSES = ['published', 'pending', 'spam'] as const
/** Longest comment, in bytes of UTF-8. */
export const COMMENT_BYTES = 10_000

export const Comment = named('Comment', {
  id: Id,
  user_id: Id,
  post_id: Id,
  parent_id: nullable(Id),
  message: Type.String(),
  message_rendered: Type.String(),
  type: Type.String(),
  content_type: oneOf(['text', 'markdown', 'html', 'document', 'survey', 'video', 'audio']),
  status: oneOf(COMMENT_STATUSES),
  reactions_count: Count,
  is_sticky: Type.Boolean(),
  meta: Anything,
  has_user_react: nullable(Type.String()),
  created_at: Datetime,
  updated_at: Datetime,
  xprofile: Xprofile,
})
