export { createMoved } from './moved.ts'
export { addressOf, storedPaths } from './paths.ts'
export { newPathOf, redirectsOf } from './queries.ts'
