export { eraseReports } from './erase.ts'
export { dealsWith } from './moderator-scope.ts'
