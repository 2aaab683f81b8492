export { OutboundError } from './error.ts'
export { withGuardedFetch } from './guarded-fetch.ts'
export { couldBeReached } from './preflight.ts'
export { createOutbound, type Outbound, type OutboundAnswer, type OutboundOptions, type OutboundRequest } from './safe-fetch.ts'
