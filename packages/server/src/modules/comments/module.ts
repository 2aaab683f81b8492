import { api } from '@lyceum/contract'
import type { Module } from '../../core/module.ts'
import { commentHandlers } from './routes.ts'

export const comments: Module = {
  name: 'comments',
  mount: (mount) => mount('comments', api.comments, commentHandlers),
}
