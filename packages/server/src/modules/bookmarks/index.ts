export { addBookmark, removeBookmark, setBookmark } from './commands.ts'
export { eraseBookmarks } from './erase.ts'
export { BOOKMARK_COLUMNS } from './queries.ts'
