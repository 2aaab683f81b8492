import { createRandom } from '#test/random.ts'
import type { FuzzRequest } from '../fuzz/requests.ts'
import type { FuzzAnswer } from '../fuzz/send.ts'
import { asCurl, shrink } from '../fuzz/shrink.ts'
import { generateRequests } from '../kit/generated-requests.ts'
import { comparable, parting } from './answers.ts'
import type { Pair, Twins } from './twins.ts'

const REST_EVERY = 100
/** Comparing every row gets slower as tables grow. */
const ROWS_EVERY = 500
const MOST_REST_S = 3600
/** Maximum number of distinct differences to analyze. */
const MOST_FAULTS = 25

export interface Difference {
  readonly operation: string
  /** Index of the request in the run. */
  readonly turn: number
  readonly where: string
  readonly curl: string
  times: number
}

/** Rows that differ, and the requests since the last comparison. */
export interface Parted {
  readonly turn: number
  readonly rows: readonly string[]
  /** Successful requests since the last comparison without differences. */
  readonly since: readonly string[]
}

export interface Compared {
  readonly requests: number
  readonly statuses: ReadonlyMap<number, number>
  readonly operations: number
  readonly differences: readonly Difference[]
  readonly parted: Parted | null
}

export interface Options {
  readonly requests: number
  readonly seed: number
  readonly only?: (operation: string) => boolean
  /** Called before each request; may damage one side. */
  readonly before?: (turn: number, twins: Twins) => Promise<void>
  /** The differences per table; the run ends after the first report. */
  readonly rows?: () => Promise<readonly string[]>
  /** May change a response before the comparison. */
  readonly change?: (turn: number, answers: Pair<FuzzAnswer>) => Pair<FuzzAnswer>
}

/** The differences, each with the request that reproduces it. */
export const told = (differences: readonly Difference[]): string =>
  differences
    .map(({ operation, turn, where, curl, times }) => `${operation}, request ${turn} (${times} times): ${where}\n  ${curl}`)
    .join('\n\n')

/** The differing rows and the requests that may have caused them. */
export const toldOfRows = ({ turn, rows, since }: Parted): string =>
  `before request ${turn}:\n${rows.join('\n')}\nafter these:\n${since.join('\n')}`

/** Sends generated requests to both servers and reports every difference in their responses. */
export const compare = async (
  twins: Twins,
  { requests, seed, only, before, rows, change = (_, same) => same }: Options,
): Promise<Compared> => {
  const random = createRandom(seed)
  const { communities } = twins
  const { root, source, served } = generateRequests(communities.sqlite, random, { only })
  const next = source()
  const statuses = new Map<number, number>()
  const worked = new Set<string>()
  const differences = new Map<string, Difference>()
  const differs = async (request: FuzzRequest): Promise<boolean> => {
    const { sqlite, postgres } = await twins.send(request)
    return comparable(sqlite) !== comparable(postgres)
  }

  /** An error during a pause is reported together with earlier differences, which may be the cause. */
  const rest = async () => {
    try {
      await twins.rest(random.int(MOST_REST_S))
    } catch (cause) {
      throw new Error(['the jobs do not run', ...twins.complaints(), told([...differences.values()])].join('\n'), { cause })
    }
  }

  let since: string[] = []
  let parted: Parted | null = null
  const lookAtRows = async (turn: number) => {
    const found = (await rows?.()) ?? []
    if (found.length > 0) parted = { turn, rows: found, since }
    since = []
  }

  for (let turn = 0; turn < requests; turn++) {
    if (turn % REST_EVERY === 0) {
      await rest()
      since.push(`${turn}: jobs`)
    }
    if (turn % ROWS_EVERY === 0 && turn > 0) await lookAtRows(turn)
    if (parted) break
    const request = next()
    await before?.(turn, twins)
    const { sqlite, postgres } = change(turn, await twins.send(request))
    statuses.set(sqlite.status, (statuses.get(sqlite.status) ?? 0) + 1)
    const { operation } = await served(sqlite)
    const [a, b] = [comparable(sqlite), comparable(postgres)]
    if (a !== b) {
      const name = operation?.id ?? request.operation
      const known = differences.get(name)
      if (known) known.times += 1
      else if (differences.size < MOST_FAULTS) {
        const small = await shrink(request, differs)
        const curl = asCurl(small ?? request, root)
        differences.set(name, { operation: name, turn, where: parting(a, b), curl, times: 1 })
      }
      continue
    }
    if (!operation?.success.includes(sqlite.status) || request.method === 'HEAD') continue
    if (operation.method !== 'GET') since.push(`${turn}: ${asCurl(request, root)} → ${sqlite.status} ${sqlite.text.slice(0, 200)}`)
    worked.add(operation.id)
    if (random.oneIn(4) && /json/.test(String(sqlite.headers['content-type']))) twins.learn(operation, JSON.parse(sqlite.text))
  }
  if (!parted) {
    await rest()
    await lookAtRows(requests)
  }
  return { requests, statuses, operations: worked.size, differences: [...differences.values()], parted }
}
