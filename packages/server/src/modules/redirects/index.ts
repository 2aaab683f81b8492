export { newPathOf, redirectsOf } from './queries.ts'
