export { eraseReports } from './erase.ts'
export { mayHandleReport } from './moderator-scope.ts'
