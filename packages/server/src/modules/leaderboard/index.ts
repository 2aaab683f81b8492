export { INCONSISTENT_USERS, rebuildStatements } from './aggregate-sql.ts'
export { erasePoints } from './erase.ts'
export { createPointsAggregates } from './fold.ts'
export { updatePeriods } from './periods.ts'
