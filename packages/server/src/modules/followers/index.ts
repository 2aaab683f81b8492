export { followCounts } from './access.ts'
export { acceptAllPending, eraseFollows } from './commands.ts'
export { eraseSomeFollows } from './erase.ts'
export { isFollowing } from './queries.ts'
