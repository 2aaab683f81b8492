import { rmSync } from 'node:fs'
import { Readable } from 'node:stream'
import { api, type ManagerRole, type Route, type Routes } from '@lyceum/contract'
import type { Example, Examples } from '@lyceum/contract/openapi'
import { type Client, type ClientOptions, createClient } from '@lyceum/sdk'
import { type App, createApp } from '../../src/app.ts'
import { readConfig } from '../../src/config.ts'
import { nowOf } from '../../src/core/clock.ts'
import { migrate } from '../../src/db/index.ts'
import { createAccount, createApplicationPassword, setRole } from '../../src/modules/accounts/index.ts'
import { updatePeriods } from '../../src/modules/leaderboard/index.ts'
import type { Outbound } from '../../src/outbound/index.ts'
import { scratchFolder } from '../services/private-server.ts'
import { maskedAnswer, maskedInput } from './mask.ts'

const ORIGIN = 'https://community.example'
const START = '2026-03-10T09:00:00Z'
/** Seconds between two recorded calls. */
const PACE = 40

/** A caller: `api` prepares data, `show()` also records request and response as the operation's example. */
export interface Caller {
  readonly api: Client
  /** A label is required if an operation has several examples: `ben.show('A bookmark').reactions.react(…)`. */
  show(label?: string): Client
}

export interface Person extends Caller {
  readonly id: number
  readonly username: string
}

export interface Recorder {
  readonly app: App
  /** Creates an account that authenticates with an application password. */
  person(options: { username: string; displayName: string; role?: ManagerRole }): Promise<Person>
  /** For an existing account. */
  known(id: number, username: string): Promise<Person>
  /** Signs in with the account password: keeps cookies, and sends the nonce returned by `nonce`. */
  browser(nonce: () => string | null): Caller
  readonly anonymous: Caller
  /** Runs all due jobs. */
  runPendingJobs(): Promise<void>
  advance(seconds: number): void
  /** The recorded examples, in the order of the contract. */
  examples(): Examples
  close(): Promise<void>
}

/** A `fetch` that calls the app directly, without a network or timers, so that every run is the same. */
const reach =
  (app: App, jar?: Map<string, string>): typeof fetch =>
  async (input, init) => {
    const { pathname, search } = new URL(String(input))
    const cookie = [...(jar ?? [])].map(([name, value]) => `${name}=${value}`).join('; ')
    // Only the platform knows the bytes of a multipart form.
    const form = init?.body instanceof FormData ? new Response(init.body) : null
    const type = form?.headers.get('content-type')
    const streams = (init?.headers as Record<string, string> | undefined)?.['accept'] === 'text/event-stream'
    const answer = await app.http.inject({
      method: (init?.method ?? 'GET') as 'GET',
      url: pathname + search,
      payloadAsStream: streams,
      headers: { ...(init?.headers as Record<string, string>), ...(cookie && { cookie }), ...(type && { 'content-type': type }) },
      ...(typeof init?.body === 'string' && { payload: init.body }),
      ...(form && { payload: Buffer.from(await form.arrayBuffer()) }),
    })
    for (const { name, value } of answer.cookies) jar?.set(name, value)
    const headers = Object.entries(answer.headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)] as [string, string]],
    )
    const body = streams ? (Readable.toWeb(answer.stream()) as ReadableStream<Uint8Array>) : answer.payload
    return new Response(body, { status: answer.statusCode, headers })
  }

type Values = Readonly<Record<string, unknown>>

const pick = (schema: Route['params'], input: Values) => {
  const names = Object.keys(schema?.properties ?? {}).filter((name) => input[name] !== undefined)
  return names.length > 0
    ? (maskedInput(Object.fromEntries(names.map((name) => [name, input[name]]))) as Readonly<Record<string, unknown>>)
    : undefined
}

type Listening = (
  input?: object,
  options?: object,
) => AsyncIterable<{ readonly id: string; readonly event: string; readonly data: unknown }>

/** A client that records its calls; a stream is recorded up to one event. */
const noting = (client: Client, note: (id: string, route: Route, input: object, status: number, body: unknown) => void): Client => {
  type Method = { answer(input?: object, options?: object): Promise<{ status: number; body: unknown }> }
  const methods = client as unknown as Record<string, Record<string, Method>>
  const listen = (group: string, name: string, route: Route) =>
    async function* (input: object = {}, options?: object) {
      const events = methods[group]![name] as unknown as Listening
      let shown: object | undefined
      try {
        for await (const event of events(input, options)) {
          const { id: _id, ...rest } = event
          shown = rest
          yield event
        }
      } finally {
        note(`${group}.${name}`, route, input, 200, shown)
      }
    }
  const call = (group: string, name: string, route: Route) => {
    if (route.produces === 'events') return listen(group, name, route)
    const answer = async (input: object = {}, options?: object) => {
      const given = await methods[group]![name]!.answer(input, options)
      note(`${group}.${name}`, route, input, given.status, given.body)
      return given
    }
    return Object.assign(async (input?: object, options?: object) => (await answer(input, options)).body, { answer })
  }
  const groups = Object.entries(api as Record<string, Routes>)
  return Object.fromEntries(
    groups.map(([group, routes]) => [
      group,
      Object.fromEntries(Object.entries(routes).map(([name, route]) => [name, call(group, name, route)])),
    ]),
  ) as unknown as Client
}

const ARTICLE = `<title>How to read a map</title><meta property="og:site_name" content="The Trail">
  <meta property="og:description" content="Contour lines, scale and north: what a map tells before you set out.">
  <meta property="og:image" content="/map.jpg"><meta name="author" content="Jo Hale">`

const picture = (width: number, height: number) => ({ url: `https://media.example/tulip-${width}.gif`, width, height, size: 420 * width })
const GIFS = {
  data: ['Tulip opening', 'Field of tulips'].map((title, i) => ({
    id: `tulip${i + 1}`,
    title,
    url: `https://gifs.example/tulip${i + 1}`,
    rating: 'g',
    trending_datetime: '2026-02-14 08:00:00',
    images: {
      original: picture(480, 270),
      downsized: picture(400, 225),
      preview: picture(160, 90),
      fixed_height: picture(356, 200),
      fixed_width: picture(200, 113),
      fixed_height_small: picture(178, 100),
    },
  })),
  pagination: { total_count: 84, count: 2, offset: 0 },
  meta: { status: 200, msg: 'OK', response_id: 'a1b2c3' },
}

/** Stub of the GIF provider. */
const providers: Outbound = {
  request: async (url) => ({ status: 200, headers: { 'content-type': 'application/json' }, body: Buffer.from(JSON.stringify(GIFS)), url }),
  close: async () => {},
}

/** Stub of all other external servers. */
const elsewhere: Outbound = {
  request: async (url) => ({ status: 200, headers: { 'content-type': 'text/html' }, body: Buffer.from(ARTICLE), url }),
  close: async () => {},
}

/**
 * Boots the real app for the story that the examples tell: SQLite (in a fresh folder by default) unless `further` variables name another
 * database, a clock that only the story moves, a fixed secret.
 */
export const createRecorder = async (dataDir = scratchFolder('examples'), further: NodeJS.ProcessEnv = {}): Promise<Recorder> => {
  let time = new Date(START).getTime()
  const clock = { now: () => new Date(time) }
  const config = readConfig({
    LYCEUM_DATA_DIR: dataDir,
    LYCEUM_URL: ORIGIN,
    LYCEUM_SECRET: 'a secret that is known to everybody who reads this',
    LYCEUM_LOG_LEVEL: 'fatal',
    LYCEUM_RATE_LIMIT: 'off',
    LYCEUM_GIF_API_URL: 'https://gifs.example/v1',
    ...further,
  })
  const app = await createApp({ config, clock, outbound: elsewhere, providers, checkAnswers: true, passwordCost: 4 })
  await migrate(app.services.database, nowOf(clock))
  await updatePeriods(app.services)

  const shown = new Map<string, Example[]>()
  const note = (label: string | undefined) => (id: string, route: Route, input: object, status: number, body: unknown) => {
    const values = input as Values
    const list = shown.get(id) ?? []
    if (list.some((example) => example.label === label)) throw new Error(`${id} is shown twice; give one of them a label`)
    const parts = { params: pick(route.params, values), query: pick(route.query, values), body: pick(route.body, values) }
    shown.set(id, [...list, { ...(label && { label }), ...parts, status, response: maskedAnswer(body) }])
    time += PACE * 1000
  }

  const caller = (options: Omit<ClientOptions, 'baseUrl'>): Caller => {
    const client = createClient({ baseUrl: ORIGIN + config.apiRoot, fetch: reach(app), ...options })
    return { api: client, show: (label) => noting(client, note(label)) }
  }

  const known = async (id: number, username: string): Promise<Person> => {
    const { password } = await app.write(null, (ctx) => createApplicationPassword(ctx, id, 'laptop'))
    return { id, username, ...caller({ username, password }) }
  }

  return {
    app,
    person: async ({ username, displayName, role }) => {
      const id = await app.write(null, async (ctx) => {
        const userId = await createAccount(ctx, { username, email: `${username}@example.org`, passwordHash: null, displayName })
        if (role) await setRole(ctx, userId, role, null)
        return userId
      })
      return known(id, username)
    },
    known,
    browser: (nonce) => caller({ nonce, fetch: reach(app, new Map()) }),
    anonymous: caller({}),
    runPendingJobs: () => app.worker.runPending(),
    advance: (seconds) => {
      time += seconds * 1000
    },
    examples: () =>
      Object.fromEntries(
        Object.entries(api as Record<string, Routes>).flatMap(([group, routes]) =>
          Object.keys(routes).flatMap((name) => {
            const list = shown.get(`${group}.${name}`)
            return list ? [[`${group}.${name}`, list.toSorted((a, b) => Number(Boolean(a.label)) - Number(Boolean(b.label)))]] : []
          }),
        ),
      ),
    close: async () => {
      await app.close()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
