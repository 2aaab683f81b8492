import { api } from '@lyceum/contract'
import type { Module } from '../../core/module.ts'
import { reactionHandlers } from './routes.ts'

export const reactions: Module = {
  name: 'reactions',
  mount: (mount) => mount('reactions', api.reactions, reactionHandlers),
}
