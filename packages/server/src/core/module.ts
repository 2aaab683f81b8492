import type { FastifyInstance } from 'fastify'
import type { RateLimits } from '../http/overload/rate-limits.ts'
import type { RequestAuthenticator } from '../http/pipeline/authenticate-request.ts'
import type { Mount } from '../http/pipeline/route-handlers.ts'
import type { Unsent } from '../http/responses/unsent-bytes.ts'
import type { Job, Listener, Writer } from '../jobs/index.ts'
import type { Services } from './context.ts'

/**
 * What pages outside the API root need. `authenticate` also counts a request; pages without authentication count requests with
 * `limits`. `unsent` counts large responses for one client.
 */
export interface PageTools {
  readonly services: Services
  readonly write: Writer
  readonly limits: RateLimits
  readonly authenticate: RequestAuthenticator
  readonly unsent: Unsent
}

/** A task that each process runs about once an hour. Concurrent runs must be harmless. */
export interface RecurringTask {
  readonly name: string
  /** Number of removed items. */
  readonly run: (services: Services, write: Writer) => Promise<number>
}

/** What a module contributes to the app: routes, event listeners and jobs. */
export interface Module {
  readonly name: string
  readonly mount?: (mount: Mount) => void
  readonly pages?: (app: FastifyInstance, tools: PageTools) => void
  readonly listeners?: readonly Listener[]
  readonly jobs?: readonly Job[]
  readonly recurringTasks?: readonly RecurringTask[]
}
