export { addBookmark, removeBookmark, setBookmark } from './commands.ts'
export { eraseBookmarks } from './erase.ts'
