export { createMoved } from './moved.ts'
export { storedPaths } from './paths.ts'
export { newPathOf, redirectsOf } from './queries.ts'
