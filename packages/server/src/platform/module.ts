import type { Mount } from './http/handlers.ts'
import type { Job, Listener } from './jobs/index.ts'

/** What a module gives to the app: its routes, what it does when events happen, and jobs of its own. */
export interface Module {
  readonly name: string
  readonly mount?: (mount: Mount) => void
  readonly listeners?: readonly Listener[]
  readonly jobs?: readonly Job[]
}
