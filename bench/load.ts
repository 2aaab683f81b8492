import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import autocannon from 'autocannon'

export interface Request {
  readonly method: 'GET' | 'POST' | 'PATCH'
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  /** `{n}` is replaced by a unique number. */
  readonly body?: string
}

export interface Load {
  readonly origin: string
  /** Requests to send in turn, divided among the connections. */
  readonly requests: readonly Request[]
  readonly connections: number
  readonly seconds: number
}

export interface LoadResult {
  readonly count: number
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
}

export type Tool = (load: Load) => Promise<LoadResult>

const COUNTER = '{n}'
let sent = 0
/** Constant length, so that all requests of a kind have the same size. */
const nextNumber = () => String(++sent).padStart(9, '0')

/** The request with a unique number. */
export const written = (request: Request): Request =>
  request.body?.includes(COUNTER) ? { ...request, body: request.body.replace(COUNTER, nextNumber()) } : request

const toCannon = ({ method, path, headers, body }: Request): autocannon.Request => ({
  method,
  path,
  headers: { ...headers },
  ...(body !== undefined && { body }),
  ...(body?.includes(COUNTER) && { setupRequest: (request) => ({ ...request, body: body.replace(COUNTER, nextNumber()) }) }),
})

const percentile = (sorted: Float64Array, share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0

/** `times`: duration of each request in ms. */
export const loadResultOf = (times: readonly number[], ms: number): LoadResult => {
  const sorted = Float64Array.from(times).sort()
  return {
    count: times.length,
    perSecond: (times.length * 1000) / ms,
    p50: percentile(sorted, 0.5),
    p99: percentile(sorted, 0.99),
  }
}

const turned = <T>(list: readonly T[], by: number): T[] => [...list.slice(by % list.length), ...list.slice(0, by % list.length)]

/**
 * The requests of one connection: its share of the list, or all of a short list with a different starting point. It continues where
 * it stopped in earlier runs.
 */
export const shareOf = <T>(list: readonly T[], connection: number, connections: number, sentBefore: number): T[] => {
  const first = Math.floor((connection * list.length) / connections)
  if (list.length < connections) return turned(list, first)
  return turned(list.slice(first, Math.floor(((connection + 1) * list.length) / connections)), sentBefore)
}

/** Number of requests of a list that each connection sent to a server in earlier runs. */
const sentBefore = new WeakMap<readonly Request[], Map<string, number>>()

/** In this process; every connection sends its next request after the response. */
export const withAutocannon: Tool = async ({ origin, requests, connections, seconds }) => {
  const list = requests.map(toCannon)
  const before = sentBefore.get(requests) ?? new Map<string, number>()
  sentBefore.set(requests, before)
  const sentHere = before.get(origin) ?? 0
  let connected = 0
  const start = performance.now()
  let end = start
  const times: number[] = []
  const options: autocannon.Options = {
    url: origin,
    connections,
    duration: seconds,
    timeout: 30,
    // Each connection prepares all of these before it starts; its share is set below.
    requests: list.slice(0, 1),
    setupClient: (client) => {
      client.setRequests(shareOf(list, connected++, connections, sentHere))
    },
  }
  const result = await new Promise<autocannon.Result>((resolve, reject) => {
    const running = autocannon(options, (error, found) => (error ? reject(error) : resolve(found)))
    running.on('response', (_client, _status, _bytes, time) => {
      times.push(time)
      end = performance.now()
    })
  })
  const failed = result.errors + result.timeouts + result.non2xx
  if (failed > 0)
    throw new Error(
      `${failed} requests to ${origin} failed: ${JSON.stringify({ ...result.statusCodeStats, errors: result.errors, timeouts: result.timeouts })}`,
    )
  before.set(origin, sentHere + Math.floor(times.length / connections))
  return loadResultOf(times, end - start)
}

const lua = (text: string) => `"${[...Buffer.from(text)].map((byte) => `\\${String(byte).padStart(3, '0')}`).join('')}"`
const luaTable = (headers: Readonly<Record<string, string>>) =>
  `{${Object.entries(headers)
    .map(([name, value]) => `[${lua(name)}]=${lua(value)}`)
    .join(',')}}`

const luaScript = (requests: readonly Request[], first: number) => `
local list, n, at = {}, ${first}, 0
init = function()
  ${requests
    .map(({ method, path, headers, body }) => {
      const counted = body?.includes(COUNTER)
      const text = `wrk.format(${lua(method)}, ${lua(path)}, ${luaTable(headers)}, ${body === undefined ? 'nil' : lua(body.replace(COUNTER, '000000000'))})`
      return `list[#list + 1] = { text = ${text}, counted = ${counted ? 'true' : 'false'} }`
    })
    .join('\n  ')}
end
request = function()
  at = at % #list + 1
  local chosen = list[at]
  if not chosen.counted then return chosen.text end
  n = n + 1
  return (chosen.text:gsub("000000000", string.format("%09d", n), 1))
end
done = function(summary, latency)
  local e = summary.errors
  io.write(string.format('\\n{"count":%d,"us":%d,"p50":%d,"p99":%d,"failed":%d,"refused":%d}\\n', summary.requests, summary.duration,
    latency:percentile(50), latency:percentile(99), e.connect + e.read + e.write + e.timeout, e.status))
end
`

/** With wrk, a client in C that leaves more CPU time to the plain server. */
export const withWrk: Tool = async ({ origin, requests, connections, seconds }) => {
  const folder = await mkdtemp(join(tmpdir(), 'lyceum-wrk-'))
  try {
    const script = join(folder, 'load.lua')
    await writeFile(script, luaScript(requests, sent))
    sent += 10_000_000
    const args = ['-t', '1', '-c', String(connections), '-d', `${seconds}s`, '--timeout', '30s', '-s', script, origin]
    const { stdout } = await promisify(execFile)('wrk', args)
    const { count, us, p50, p99, failed, refused } = JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Record<
      'count' | 'us' | 'p50' | 'p99' | 'failed' | 'refused',
      number
    >
    if (failed + refused > 0)
      throw new Error(`${failed + refused} requests to ${origin} failed: ${failed} without a response, ${refused} with an error`)
    return { count, perSecond: (count * 1e6) / us, p50: p50 / 1000, p99: p99 / 1000 }
  } finally {
    await rm(folder, { recursive: true })
  }
}
