import { createRandom } from '#test/random.ts'
import { SOAK } from '#test/scale.ts'
import { comparable, parting } from '../differential/answers.ts'
import { type FuzzRequest, pathOf } from '../fuzz/requests.ts'
import { asCurl } from '../fuzz/shrink.ts'
import { generateRequests } from '../kit/generated-requests.ts'
import type { CachingPair } from './pair.ts'

/** Reads repeated after each successful write. */
const AFTER_EACH = SOAK > 1 ? 12 : 6
const REMEMBERED = 300
/** Requests between two pauses, after each of which everything cached is compared. */
const REST_EVERY = 100
const MOST_REST_S = 3600
/** Concurrent writes, every other time, while cached data is read. */
const MOST_AT_ONCE = 6
const MOST_FAULTS = 10

/** Responses that may be up to a minute old. */
const MAY_BE_OLD = /\/members\/top-contributors\b/

/** A cached response that differs from the uncached one. */
export interface Stale {
  readonly turn: number
  readonly read: string
  /** The requests since both last agreed. */
  readonly after: string
  readonly where: string
}

export interface CacheRun {
  readonly writes: number
  readonly compared: number
  readonly operations: number
  readonly hits: number
  readonly stale: readonly Stale[]
}

export interface Options {
  /** Number of generated requests, reads and writes. */
  readonly requests: number
  readonly seed: number
  readonly only?: (operation: string) => boolean
  /** Stops after this many failures. */
  readonly most?: number
}

/** Reads cached data before, during and after writes, and compares it with an uncached server. */
export const compareCached = async (pair: CachingPair, { requests, seed, only, most = MOST_FAULTS }: Options): Promise<CacheRun> => {
  const random = createRandom(seed)
  const { community, cached, uncached } = pair
  const { root, source, served } = generateRequests(community, random, { only })
  const nextRead = source(({ method }) => method === 'GET')
  const nextWrite = source(({ method }) => method !== 'GET')
  const remembered = new Map<string, FuzzRequest>()
  const worked = new Set<string>()
  const stale: Stale[] = []
  const counts = { writes: 0, compared: 0 }
  const hitsBefore = pair.hits()

  const remember = (request: FuzzRequest) => {
    remembered.set(`${request.role} ${request.session} ${pathOf(request)}`, request)
    const [oldest] = remembered.keys()
    if (oldest !== undefined && remembered.size > REMEMBERED) remembered.delete(oldest)
  }

  const some = (count: number): FuzzRequest[] => {
    const left = [...remembered.values()]
    return Array.from({ length: Math.min(count, left.length) }, () => left.splice(random.int(left.length), 1)[0] as FuzzRequest)
  }

  const compare = async (turn: number, reads: readonly FuzzRequest[], after: string) => {
    for (const read of reads) {
      const [fromCache, made] = [comparable(await cached(read)), comparable(await uncached(read))]
      counts.compared += 1
      if (fromCache !== made) stale.push({ turn, read: asCurl(read, root), after, where: parting(fromCache, made) })
      if (stale.length >= most) return
    }
  }

  /** Sends a request to the caching server; returns whether it changed something. */
  const send = async (request: FuzzRequest): Promise<{ done: boolean; text: string }> => {
    const answer = await cached(request)
    const { operation, method } = await served(answer)
    const done = operation?.success.includes(answer.status) === true && request.method !== 'HEAD'
    const isJson = /json/.test(String(answer.headers['content-type']))
    if (done) worked.add(operation.id)
    if (done && isJson && random.oneIn(4)) community.learn(operation, JSON.parse(answer.text))
    if (isJson && method === 'GET' && answer.status < 500 && !MAY_BE_OLD.test(pathOf(request))) remember(request)
    return { done: done && method !== 'GET', text: `${asCurl(request, root)} → ${answer.status}` }
  }

  for (let turn = 0; turn < requests && stale.length < most; turn++) {
    if (turn % REST_EVERY === 0) {
      await Promise.all([pair.rest(random.int(MOST_REST_S)), ...some(REMEMBERED).map(cached)])
      await compare(turn, [...remembered.values()], 'the jobs, and an hour')
    }
    if (turn % 2 === 0) {
      await send({ ...nextRead(), headers: {} })
      continue
    }
    const warm = some(AFTER_EACH)
    for (const read of warm) await cached(read)
    const together = random.oneIn(2) ? 1 : 2 + random.int(MOST_AT_ONCE - 1)
    const writes = Array.from({ length: together }, nextWrite)
    const meanwhile = together > 1 ? [...warm, ...warm].map(cached) : []
    const [sent] = await Promise.all([Promise.all(writes.map(send)), ...meanwhile])
    const done = sent.filter((one) => one.done)
    if (done.length === 0) continue
    counts.writes += done.length
    await compare(turn, warm, done.map(({ text }) => text).join('\n  and '))
  }
  return { ...counts, operations: worked.size, hits: pair.hits() - hitsBefore, stale }
}
