export type { EventBatch, MemberEvent, StreamSource } from './event-source.ts'
export { createHub } from './hub.ts'
export { createRedisSignals, databaseSignals } from './pubsub.ts'
export { createWakeups } from './wakeup-broadcast.ts'
