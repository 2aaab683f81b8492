import type { BodyOf, ParamsOf, QueryOf, ResponseOf, Route, Routes } from '@lyceum/contract'
import type { Actor, ReadRequest, WriteRequest } from '../../core/context.ts'
import type { ApiError } from '../../core/errors.ts'
import type { UploadedFile } from '../requests/multipart.ts'
import type { StreamRequest, StreamResponse } from '../responses/event-stream.ts'
import type { InnerCall } from './inner-calls.ts'

type ActorOf<R extends Route> = R['access'] extends 'public' ? Actor | null : Actor
type Reads<R extends Route> = R extends { method: 'GET' } | { write: false } ? true : false

export interface Input<R extends Route> {
  readonly params: ParamsOf<R>
  readonly query: QueryOf<R>
  readonly body: BodyOf<R>
  /** The file of a multipart body; null if there is none. */
  readonly file: R extends { consumes: 'multipart' } ? UploadedFile | null : undefined
}

/** Additional headers of a successful response, and its status if it differs from the default. */
export interface ResponseSetters {
  setHeader(name: string, value: string): void
  /** The response has the status that the route declares for the case that no record was created. */
  setNotCreated(): void
}

type Reading<R extends Route> = ReadRequest<ActorOf<R>> & ResponseSetters
type Writing<R extends Route> = WriteRequest<ActorOf<R>> & ResponseSetters
type Streams<R extends Route> = R extends { produces: 'events' } ? true : false
type Calls<R extends Route> = R extends { calls: true } ? { readonly call: InnerCall } : unknown
type ContextOf<R extends Route> = Calls<R> &
  (Streams<R> extends true ? Reading<R> & { readonly listening: StreamRequest } : Reads<R> extends true ? Reading<R> : Writing<R>)

type Result<R extends Route> = Promise<Streams<R> extends true ? StreamResponse : ResponseOf<R>>
type Plain<R extends Route> = (ctx: ContextOf<R>, input: Input<R>) => Result<R>

/** A handler with work that must not run inside the transaction: hashing, network, images. */
export interface Prepared<R extends Route, X = unknown> {
  readonly prepare: (ctx: Reading<R>, input: Input<R>) => Promise<X>
  readonly handle: (ctx: ContextOf<R>, input: Input<R>, prepared: X) => Result<R>
}

type Handler<R extends Route> = Plain<R> | Prepared<R, never>
export type Handlers<RS extends Routes> = { readonly [K in keyof RS]: Handler<RS[K]> }

/**
 * Throws the error for callers who may not run the operation at all. Called before a body is rejected, so that only callers with access
 * learn what is wrong with it. It may reveal more than `refusal` does.
 */
export type AccessCheck<R extends Route> = (ctx: ReadRequest<ActorOf<R>>, params: ParamsOf<R>, refusal: ApiError) => Promise<unknown>
type AccessChecks<RS extends Routes> = { readonly [K in keyof RS]?: AccessCheck<RS[K]> }

/** Responds with a message once the work is done. */
export const messageAfter = async (work: Promise<unknown>, message: string) => {
  await work
  return { message }
}

/** Connects the result of `prepare` with the argument of `handle`. */
export const prepared = <R extends Route, X>(
  _route: R,
  prepare: Prepared<R, X>['prepare'],
  handle: Prepared<R, X>['handle'],
): Prepared<R, never> => ({ prepare, handle }) as unknown as Prepared<R, never>

export interface MountedRoute {
  readonly id: string
  readonly route: Route
  readonly handler: Handler<Route>
  readonly checkAccess?: AccessCheck<Route> | undefined
}

export type Mount = <RS extends Routes>(name: string, routes: RS, handlers: Handlers<RS>, accessChecks?: AccessChecks<RS>) => void

/** Collects the handlers of the modules. A name missing on either side does not compile. */
export const createMount = (): { mount: Mount; mounted: readonly MountedRoute[] } => {
  const mounted: MountedRoute[] = []
  const mount: Mount = (name, routes, handlers, accessChecks = {}) => {
    for (const [key, route] of Object.entries(routes)) {
      const handler = (handlers as unknown as Record<string, Handler<Route> | undefined>)[key]
      if (!handler) throw new Error(`${name}.${key} has no handler`)
      if (!route.access) throw new Error(`${name}.${key} declares no access`)
      const checkAccess = (accessChecks as Readonly<Record<string, AccessCheck<Route>>>)[key]
      mounted.push({ id: `${name}.${key}`, route, handler, checkAccess })
    }
  }
  return { mount, mounted }
}
