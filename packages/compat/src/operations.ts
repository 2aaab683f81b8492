import { api, type ResponseOf, type Route } from '@lyceum/contract'

type Api = typeof api

/** The id of an operation: `feeds.byId`. */
export type Operation = { [G in keyof Api & string]: `${G}.${keyof Api[G] & string}` }[keyof Api & string]

type RouteOf<O extends Operation> = O extends `${infer G}.${infer N}`
  ? G extends keyof Api
    ? N extends keyof Api[G]
      ? Api[G][N]
      : never
    : never
  : never
export type Answer<O extends Operation> = RouteOf<O> extends infer R extends Route ? ResponseOf<R> : never

export type Fields = Readonly<Record<string, unknown>>

export interface Input {
  readonly params?: Fields
  readonly query?: Fields
  readonly body?: Fields | undefined
}

export interface Membership {
  readonly space_id: number
  readonly user_id: number
  readonly role: string
  readonly status: string
  readonly joined_at: string
}

/** A request of a client. */
export interface Context {
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string>>
  readonly body: Fields
  /** Calls an operation of Lyceum for the caller. */
  readonly call: <O extends Operation>(operation: O, input?: Input) => Promise<Answer<O>>
  /** Username and id of the caller. */
  readonly me: string
  readonly myId: number
  /** Memberships of a member. */
  readonly memberships: (user_id: number) => Promise<readonly Membership[]>
  readonly origin: string
  readonly now: Date
  readonly refuse: (code: 'rest_no_route' | 'rest_forbidden') => Error
}

export type Handler = (ctx: Context) => Promise<object>
/** Handlers by method and path: `POST /feeds/{feed_id}/react`. */
export type Handlers = Readonly<Record<string, Handler>>

type BodyOf = (ctx: Context) => Fields
const bodyAsSent: BodyOf = ({ body }) => body

/** Calls an operation and adds its `data`, or its whole result without `data`, under these names. */
export const named =
  (operation: Operation, names: readonly string[], bodyOf = bodyAsSent): Handler =>
  async (ctx) => {
    const answer = (await ctx.call(operation, { params: ctx.params, query: ctx.query, body: bodyOf(ctx) })) as Fields
    const { message: _message, ...record } = answer
    return { ...answer, ...Object.fromEntries(names.map((name) => [name, answer['data'] ?? record])) }
  }

/** Operations that save. Their responses contain the complete record. */
export const saving =
  (name: string, load: (ctx: Context, id: number) => Promise<object>, besides: (ctx: Context) => object = () => ({})) =>
  (operation: Operation, bodyOf = bodyAsSent): Handler =>
  async (ctx) => {
    const answer = (await ctx.call(operation, { params: ctx.params, body: bodyOf(ctx) })) as { readonly data: { readonly id: number } }
    const record = await load(ctx, answer.data.id)
    return { ...answer, data: { ...record, ...answer.data }, [name]: record, ...besides(ctx) }
  }

/** Whether clients can call an operation. Excludes guest operations, which change or reveal the session, and streams. */
const isMounted = ({ method, access, produces }: Route) => produces !== 'events' && (access !== 'public' || method === 'GET')

/** All operations at their own paths. */
export const ownHandlers: Handlers = Object.fromEntries(
  Object.entries(api as Readonly<Record<string, Readonly<Record<string, Route>>>>).flatMap(([group, routes]) =>
    group === 'auth'
      ? []
      : Object.entries(routes).flatMap(([name, route]): [string, Handler][] =>
          isMounted(route)
            ? [[`${route.method} ${route.path}`, ({ call, ...input }) => call(`${group}.${name}` as Operation, input) as Promise<object>]]
            : [],
        ),
  ),
)
