export { addBookmark, removeBookmark, setBookmark } from './commands.ts'
export { BOOKMARK_COLUMNS } from './queries.ts'
