export type { Job, Listener, Registry } from './registry.ts'
export { createRegistry, job, on, outgoing } from './registry.ts'
export { backoff, createWorker, type Worker } from './worker.ts'
export { createWriter, type Writer } from './writer.ts'
