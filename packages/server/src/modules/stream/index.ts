export { streamSource } from './stream-source.ts'
