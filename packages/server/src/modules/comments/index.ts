import { api } from '@lyceum/contract'
import type { Module } from '../../platform/module.ts'
import { commentHandlers } from './routes.ts'

export { type CommentAbilities, commentAbilities, commentFor, loadComment } from './access.ts'
export { hideComment, takeDownComment, updateComment } from './changes.ts'
export { eraseComments } from './forget.ts'
export { presentComment, reactionCountsOf } from './items.ts'
export { countCommentReactions } from './store.ts'

export const comments: Module = {
  name: 'comments',
  mount: (mount) => mount('comments', api.comments, commentHandlers),
}
