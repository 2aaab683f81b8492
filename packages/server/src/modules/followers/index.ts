export { followCounts } from './access.ts'
export { acceptAllPending } from './commands.ts'
export { eraseSomeFollows } from './erase.ts'
