import autocannon from 'autocannon'
import type { Request } from './load.ts'

/** A kind of request and its share in percent. */
export interface Share {
  readonly kind: string
  readonly percent: number
  readonly make: (n: number) => Request
}

/** Times in ms. */
export interface Times {
  readonly count: number
  readonly p50: number
  readonly p99: number
  readonly p999: number
}

export interface MixedResult {
  readonly perSecond: number
  /** Responses other than 2xx by status, and broken connections. */
  readonly failed: Readonly<Record<string, number>>
  readonly all: Times
  readonly kinds: Readonly<Record<string, Times>>
}

const timesOf = (list: readonly number[]): Times => {
  const sorted = Float64Array.from(list).sort()
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
  return { count: sorted.length, p50: at(0.5), p99: at(0.99), p999: at(0.999) }
}

/** A hundred requests with each kind according to its share, evenly distributed. */
const inTurn = (shares: readonly Share[]): Share[] =>
  shares
    .flatMap((share) => Array.from({ length: share.percent }, (_, i) => ({ share, at: (i + 0.5) / share.percent })))
    .sort((a, b) => a.at - b.at)
    .map(({ share }) => share)

interface Context {
  begun?: number
}

/** Sends a mix of unique requests; every connection sends its next one after the response. Failures are counted. */
export const mixedLoad = async (
  origin: string,
  shares: readonly Share[],
  { connections, seconds }: { readonly connections: number; readonly seconds: number },
): Promise<MixedResult> => {
  const kinds = new Map(shares.map(({ kind }) => [kind, [] as number[]]))
  const failed: Record<string, number> = {}
  let n = 0
  const requests = inTurn(shares).map(
    ({ kind, make }): autocannon.Request => ({
      setupRequest: (request, context) => {
        const { method, path, headers, body } = make(n++)
        ;(context as Context).begun = performance.now()
        return { ...request, method, path, headers: { ...headers }, ...(body !== undefined && { body }) }
      },
      onResponse: (status, _body, context) => {
        const { begun } = context as Context
        if (begun !== undefined) kinds.get(kind)?.push(performance.now() - begun)
        if (status < 200 || status > 299) failed[`${kind} ${status}`] = (failed[`${kind} ${status}`] ?? 0) + 1
      },
    }),
  )
  let connected = 0
  const start = performance.now()
  const result = await autocannon({
    url: origin,
    connections,
    duration: seconds,
    timeout: 30,
    requests,
    setupClient: (client) => {
      const first = Math.floor((connected++ * requests.length) / connections)
      client.setRequests([...requests.slice(first), ...requests.slice(0, first)])
    },
  })
  const took = (performance.now() - start) / 1000
  if (result.errors > 0) failed['broken connection'] = result.errors
  if (result.timeouts > 0) failed['timeout'] = result.timeouts
  const all = timesOf([...kinds.values()].flat())
  return { perSecond: all.count / took, failed, all, kinds: Object.fromEntries([...kinds].map(([kind, list]) => [kind, timesOf(list)])) }
}
