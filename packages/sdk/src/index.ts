export { type Client, type ClientOptions, createClient } from './client.ts'
export { LyceumError } from './error.ts'
export type { Answer, CallOptions } from './transport.ts'
