export { eraseActivities } from './erase.ts'
