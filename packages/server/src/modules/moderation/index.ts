export { mayHandleReport } from './moderator-scope.ts'
