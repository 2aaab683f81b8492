import { writeFileSync } from 'node:fs'
import { Agent, get as httpGet } from 'node:http'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { api, type Route } from '@lyceum/contract'
import Sqlite from 'better-sqlite3'
import { createEndpointFixtures, type EndpointFixtures, type Person } from './endpoint-fixtures.ts'
import { atRest, type Lyceum, type Place, startLyceum } from './server.ts'

const USAGE = `node bench/all-get-endpoints.ts --small DIR --large DIR [options]
Asks every GET operation of a small and of a large community, as a member and as an administrator, with each order and filter and with the
last page, and lists what is slower in the large one. Writes into both: hand it copies.
  --small-url URL, --large-url URL   PostgreSQL; the directories then hold the secret alone
  --only TEXT                        operations whose name contains this
  --times N                          requests of each, default: 10
  --from N                           list what takes that many ms in the large one, default: 2
  --json FILE
`

interface Query {
  readonly name: string
  readonly path: string
  readonly who: 'member' | 'admin'
}

interface Times {
  readonly median: number
  readonly worst: number
  readonly status: number
  readonly bytes: number
}

/** Excluded operations: streams, external requests, and those with unknown parameters. */
const LEFT_OUT = new Set(['stream.listen', 'gif.search', 'media.oembed'])

interface Shape {
  readonly enum?: readonly string[]
  readonly type?: string
}

const shapesOf = (route: Route) => Object.entries((route.query?.properties ?? {}) as Readonly<Record<string, Shape>>)

/** The queries to send to an operation: none, each enum value, and each known value. */
const variants = (route: Route, { query }: EndpointFixtures): readonly string[] => {
  const needed = new Set((route.query as { required?: readonly string[] } | undefined)?.required ?? [])
  const encode = (name: string, value: string | number) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`
  const base = [...needed].flatMap((name) => (query[name] === undefined ? [] : [encode(name, query[name])]))
  const single = shapesOf(route).flatMap(([name, shape]) => {
    if (name === 'format' || needed.has(name)) return []
    if (shape.enum) return shape.enum.map((value) => encode(name, value))
    return query[name] === undefined ? [] : [encode(name, query[name])]
  })
  return ['', ...single].map((one) => [...base, one].filter(Boolean).join('&'))
}

const pathOf = ({ path }: Route, { params }: EndpointFixtures): string | null => {
  const filled = path.replace(/\{(\w+)\}/g, (whole, name: string) => String(params[name] ?? whole))
  return filled.includes('{') ? null : filled
}

const queriesOf = (fixtures: EndpointFixtures, only: string): Query[] =>
  Object.entries(api as Record<string, Record<string, Route>>).flatMap(([resource, routes]) =>
    Object.entries(routes).flatMap(([operation, route]) => {
      const name = `${resource}.${operation}`
      const path = pathOf(route, fixtures)
      if (route.method !== 'GET' || !path || LEFT_OUT.has(name) || !name.includes(only)) return []
      return variants(route, fixtures).flatMap((query) => {
        const pages = shapesOf(route).some(([key]) => key === 'page') ? ['', 'page=last'] : ['']
        return pages.flatMap((page) => {
          const search = [query, page].filter(Boolean).join('&')
          return (['member', 'admin'] as const).map((who) => ({ name, path: search ? `${path}?${search}` : path, who }))
        })
      })
    }),
  )

const agent = new Agent({ keepAlive: true, maxSockets: 1 })

const ask = (base: string, path: string, { username, password }: Person): Promise<{ status: number; text: string; ms: number }> =>
  new Promise((done, fail) => {
    const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
    const begun = performance.now()
    httpGet(base + path, { agent, headers: { authorization } }, (response) => {
      const parts: Buffer[] = []
      response.on('data', (part: Buffer) => parts.push(part))
      response.on('end', () =>
        done({ status: response.statusCode ?? 0, text: Buffer.concat(parts).toString(), ms: performance.now() - begun }),
      )
    }).on('error', fail)
  })

const LAST = /"(?:last_page|total_pages)":(\d+)/

interface Community {
  readonly server: Lyceum
  readonly fixtures: EndpointFixtures
  /** Clears the caches of the server. */
  readonly disturb: () => void
}

/** Every second request runs with empty caches, to measure both the caches and the database. */
const timesOf = async (
  { server, fixtures, disturb }: Community,
  { path, who }: Query,
  times: number,
): Promise<{ kept: Times; fresh: Times }> => {
  const person = fixtures[who]
  let asked = path
  if (path.includes('page=last')) {
    const { text } = await ask(server.base, path.replace('page=last', 'page=1'), person)
    asked = path.replace('page=last', `page=${LAST.exec(text)?.[1] ?? 1}`)
  }
  const kept: number[] = []
  const fresh: number[] = []
  let last = await ask(server.base, asked, person)
  const most = last.ms > 500 ? 2 : times
  for (let i = 0; i < most; i++) {
    disturb()
    last = await ask(server.base, asked, person)
    fresh.push(last.ms)
    kept.push((await ask(server.base, asked, person)).ms)
  }
  const summary = (all: number[]): Times => {
    const sorted = all.toSorted((a, b) => a - b)
    return { median: sorted[Math.floor(sorted.length / 2)] ?? 0, worst: sorted.at(-1) ?? 0, status: last.status, bytes: last.text.length }
  }
  return { kept: summary(kept), fresh: summary(fresh) }
}

const disturber = ({ dataDir, databaseUrl }: Place) => {
  if (databaseUrl) return () => undefined
  const db = new Sqlite(join(dataDir, 'lyceum.db'))
  const touch = db.prepare('update users set updated_at = updated_at where id = (select min(id) from users)')
  return () => void touch.run()
}

const open = async (dir: string, databaseUrl = ''): Promise<Community> => {
  const place = { dataDir: resolve(dir), databaseUrl }
  const server = await startLyceum(place)
  const fixtures = await createEndpointFixtures(place, server)
  await atRest(server)
  return { server, fixtures, disturb: disturber(place) }
}

interface Row extends Query {
  readonly small: { kept: Times; fresh: Times }
  readonly large: { kept: Times; fresh: Times }
}

const { values } = parseArgs({
  options: {
    small: { type: 'string' },
    large: { type: 'string' },
    'small-url': { type: 'string' },
    'large-url': { type: 'string' },
    only: { type: 'string', default: '' },
    times: { type: 'string', default: '10' },
    from: { type: 'string', default: '2' },
    json: { type: 'string' },
  },
})

const sweep = async (smallDir: string, largeDir: string) => {
  const small = await open(smallDir, values['small-url'])
  const large = await open(largeDir, values['large-url'])
  const inLarge = queriesOf(large.fixtures, values.only)
  const inSmall = queriesOf(small.fixtures, values.only)
  const rows: Row[] = []
  for (const [i, query] of inLarge.entries()) {
    const twin = inSmall[i] ?? query
    const times = Number(values.times)
    rows.push({ ...query, small: await timesOf(small, twin, times), large: await timesOf(large, query, times) })
    if (i % 50 === 0) process.stderr.write(`${i} of ${inLarge.length}\n`)
  }
  await small.server.stop()
  await large.server.stop()
  if (values.json) writeFileSync(values.json, JSON.stringify(rows))
  const ratio = ({ small: a, large: b }: Row) => b.fresh.median / a.fresh.median
  const slow = rows.filter((row) => row.large.fresh.median >= Number(values.from)).sort((a, b) => ratio(b) - ratio(a))
  const cell = (value: number) => value.toFixed(1).padStart(8)
  process.stdout.write(`   ratio    small    large    worst   (kept) status   bytes\n`)
  for (const row of slow) {
    const { fresh, kept } = row.large
    const figures = [ratio(row), row.small.fresh.median, fresh.median, fresh.worst, kept.median].map(cell).join(' ')
    process.stdout.write(`${figures}    ${fresh.status} ${String(fresh.bytes).padStart(7)}  ${row.name}  ${row.who}  ${row.path}\n`)
  }
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
if (!values.small || !values.large) process.stdout.write(USAGE)
else await sweep(values.small, values.large)
