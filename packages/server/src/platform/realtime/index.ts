export { createHub } from './hub.ts'
export type { Credential, Realtime, Sink } from './realtime.ts'
export type { Gathered, StreamSource, Told } from './source.ts'
export { createWakeups } from './wakeups.ts'
