export { INCONSISTENT_USERS, rebuildStatements } from './aggregate-sql.ts'
export { backfillLedger } from './backfill.ts'
export { erasePoints } from './erase.ts'
export { updatePeriods } from './periods.ts'
