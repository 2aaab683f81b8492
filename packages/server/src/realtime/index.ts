export type { EventBatch, MemberEvent, StreamSource } from './event-source.ts'
export { createHub } from './hub.ts'
export { createRedisSignals, createWakeups, databaseSignals } from './pubsub.ts'
