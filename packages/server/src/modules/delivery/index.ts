export { createDigestScheduler, type DigestScheduler } from './digest-scheduler.ts'
export { eraseDevices } from './erase.ts'
