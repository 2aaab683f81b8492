import { api } from '@lyceum/contract'
import type { Module } from '../../core/module.ts'
import { commentHandlers } from './routes.ts'

export { type CommentAbilities, commentAbilities, commentFor, loadComment } from './access.ts'
export { hideComment, takeDownComment, updateComment } from './commands.ts'
export { presentComment, reactionCountsOf } from './comment-json-cache.ts'
export { eraseComments } from './erase.ts'
export { countCommentReactions } from './repository.ts'

export const comments: Module = {
  name: 'comments',
  mount: (mount) => mount('comments', api.comments, commentHandlers),
}
