export { mayHandleReport } from './queries.ts'
