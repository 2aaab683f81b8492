export { followCounts } from './access.ts'
export { acceptAllPending } from './commands.ts'
export { eraseSomeFollows } from './erase.ts'
export { type FollowFacts, loadFollowFacts } from './facts.ts'
