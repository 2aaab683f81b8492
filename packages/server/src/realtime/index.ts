export { createHub } from './hub.ts'
export { createRedisSignals, createWakeups, databaseSignals } from './pubsub.ts'
export type { EventBatch, MemberEvent, StreamSource } from './types.ts'
