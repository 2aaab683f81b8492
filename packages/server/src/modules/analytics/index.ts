export { rebuildRollups } from './rebuild.ts'
export { markStale } from './rollup-state.ts'
export { type Rollups, rollupsOf } from './rollup-worker.ts'
export { findWrongRollups } from './verify-rollups.ts'
