import { api, type InputOf, type ResponseOf, type Route } from '@lyceum/contract'
import type { Call, ClientOptions, Listen } from './methods.ts'
import { listen, type StreamOptions } from './stream.ts'
import { type CallOptions, type Connection, call } from './transport.ts'

/** The input of an operation; empty if it has none. */
type Given<R extends Route> = unknown extends InputOf<R> ? Record<string, never> : InputOf<R>

type Method<R extends Route> = R extends { readonly produces: 'events' } ? Listen<InputOf<R>, ResponseOf<R>> : Call<Given<R>, ResponseOf<R>>

type Api = typeof api

/** Response bodies of the operations, such as `Answers['feeds']['list']`. */
export type Answers = {
  readonly [G in keyof Api]: { readonly [N in keyof Api[G]]: Api[G][N] extends Route ? ResponseOf<Api[G][N]> : never }
}
/** Inputs of the operations, such as `Inputs['feeds']['create']`. */
export type Inputs = { readonly [G in keyof Api]: { readonly [N in keyof Api[G]]: Api[G][N] extends Route ? Given<Api[G][N]> : never } }

/** A method for each operation: `client.feeds.create({ message: 'Hello' })`. The input combines path, query and body fields. */
export type Client = { readonly [G in keyof Api]: { readonly [N in keyof Api[G]]: Api[G][N] extends Route ? Method<Api[G][N]> : never } }

const basic = (username: string, password: string) => {
  const bytes = new TextEncoder().encode(`${username}:${password}`)
  return `Basic ${btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))}`
}

const bind = (connection: Connection, route: Route) => {
  if (route.produces === 'events') return (input?: object, options?: StreamOptions) => listen(connection, route, { ...input }, options)
  const answer = (input?: object, options?: CallOptions) => call(connection, route, (input ?? {}) as Record<string, unknown>, options)
  return Object.assign(async (input?: object, options?: CallOptions) => (await answer(input, options)).body, { answer })
}

/** Creates a typed client for a Lyceum server. Every operation of the API is a method. */
export const createClient = ({ baseUrl, username, password, nonce, headers = {}, fetch: send = fetch }: ClientOptions): Client => {
  const credentials: Record<string, string> =
    username !== undefined && password !== undefined ? { authorization: basic(username, password) } : {}
  const connection: Connection = {
    baseUrl: baseUrl.replace(/\/+$/, ''),
    // Browsers reject fetch if it is called as a method of another object.
    fetch: (input, init) => send(input, init),
    headers: () => {
      const value = nonce?.()
      return { ...credentials, ...headers, ...(value && { 'x-lyceum-nonce': value }) }
    },
  }
  return Object.fromEntries(
    Object.entries(api).map(([group, routes]) => [
      group,
      Object.fromEntries(Object.entries(routes as Record<string, Route>).map(([name, route]) => [name, bind(connection, route)])),
    ]),
  ) as unknown as Client
}
