export { FLUENT_COMMUNITY } from './mount.ts'
