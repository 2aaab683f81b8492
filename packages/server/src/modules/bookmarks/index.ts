import { api } from '@lyceum/contract'
import type { Module } from '../../platform/module.ts'
import { bookmarkHandlers } from './routes.ts'

export { addBookmark, removeBookmark, setBookmark } from './changes.ts'
export { eraseBookmarks } from './forget.ts'

export const bookmarks: Module = {
  name: 'bookmarks',
  mount: (mount) => mount('bookmarks', api.bookmarks, bookmarkHandlers),
}
