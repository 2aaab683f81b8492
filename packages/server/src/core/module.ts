import type { FastifyInstance } from 'fastify'
import type { RateLimits } from '../http/overload/rate-limits.ts'
import type { RequestAuthenticator } from '../http/pipeline/authenticate-request.ts'
import type { Mount } from '../http/pipeline/route-handlers.ts'
import type { Unsent } from '../http/responses/unsent-bytes.ts'
import type { Job, Listener, Writer } from '../jobs/index.ts'
import type { Services } from './context.ts'

/**
 * What addresses outside the API root work with. `gate` tells who asks and counts the request; addresses that need no credentials count
 * theirs with `limits`. `unsent` counts large answers that were made for one caller.
 */
export interface PageTools {
  readonly services: Services
  readonly write: Writer
  readonly limits: RateLimits
  readonly gate: RequestAuthenticator
  readonly unsent: Unsent
}

/** Something that every process does about once an hour; several at once must do no harm. */
export interface RecurringTask {
  readonly name: string
  /** How many things were removed. */
  readonly run: (services: Services, write: Writer) => Promise<number>
}

/** What a module gives to the app: its routes, what it does when events happen, and jobs of its own. */
export interface Module {
  readonly name: string
  readonly mount?: (mount: Mount) => void
  readonly pages?: (app: FastifyInstance, tools: PageTools) => void
  readonly listeners?: readonly Listener[]
  readonly jobs?: readonly Job[]
  readonly recurringTasks?: readonly RecurringTask[]
}
