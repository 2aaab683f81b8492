import { api } from '@lyceum/contract'
import type { Module } from '../../core/module.ts'
import { bookmarkHandlers } from './routes.ts'

export const bookmarks: Module = {
  name: 'bookmarks',
  mount: (mount) => mount('bookmarks', api.bookmarks, bookmarkHandlers),
}
