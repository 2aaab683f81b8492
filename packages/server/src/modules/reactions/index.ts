export { eraseReactions } from './erase.ts'
