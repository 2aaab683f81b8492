import { afterAll, beforeAll, expect, test } from 'vitest'
import { SOAK } from '../soak.ts'
import { type Community, createCommunity } from './community.ts'
import { type Described, describeApi, type Operation } from './document.ts'
import { freshEnv } from './environment.ts'
import { BROKEN_JSON, ODD_JSON } from './json-texts.ts'
import { createRandom, type Random } from './random.ts'
import { createMaker, type FuzzRequest, type Maker } from './requests.ts'
import { createSender, type Sender } from './send.ts'
import { createGenerator } from './values.ts'
import { problemsOf } from './verdict.ts'

const PATIENCE_MS = 120_000
const MOST_PER_PAGE = 100

const NUMBERS = [
  '-1',
  '0',
  '-0',
  '1',
  '00',
  '01',
  '+1',
  '1.0',
  '1.5',
  '1e3',
  '1e400',
  '0x10',
  '0b1',
  '1_000',
  ' 1',
  '1 ',
  '1\u0000',
  'NaN',
  'Infinity',
  'null',
  'true',
  '',
  ' ',
  '[]',
  '[1]',
  '{}',
  '1,2',
  '٣',
  '１',
  '100',
  '101',
  '2147483647',
  '2147483648',
  '4294967296',
  '9007199254740991',
  '9007199254740992',
  '9223372036854775807',
  '9223372036854775808',
  '18446744073709551616',
  '99999999999999999999',
  '-9223372036854775809',
  '9'.repeat(400),
]

let community: Community
let described: Described
let sender: Sender
let maker: Maker
let random: Random
beforeAll(async () => {
  random = createRandom(3)
  community = await createCommunity(await freshEnv(), random)
  described = describeApi(new URL(community.base).pathname)
  sender = createSender(community, 50)
  maker = createMaker(random, community.pools, createGenerator(random, community.pools, described.resolve))
  await community.heal()
}, PATIENCE_MS)
afterAll(async () => {
  sender.close()
  await community.close()
})

/** A request for the operation that is right in all that it must have. */
const plain = (operation: Operation): FuzzRequest => {
  const path = operation.parameters.filter(({ in: where }) => where === 'path')
  const value = (name: string) => String(community.pools.pick(name, random) ?? '1')
  return {
    ...maker.make(operation),
    role: 'administrator',
    session: false,
    method: operation.method,
    segments: operation.path
      .slice(1)
      .split('/')
      .map((segment) => (path.some(({ name }) => segment === `{${name}}`) ? encodeURIComponent(value(segment.slice(1, -1))) : segment)),
    query: [],
    headers: {},
    body: undefined,
    raw: false,
  }
}

const longestList = (value: unknown): number => {
  if (Array.isArray(value)) return Math.max(value.length, ...value.map(longestList))
  return value !== null && typeof value === 'object' ? Math.max(0, ...Object.values(value).map(longestList)) : 0
}

/** How many operations of a kind get everything; the others take turns, since what reads it is the same for all of them. */
const IN_FULL = 4 * SOAK
const TURNS = 8

/** Everything for the first items of each kind, and every eighth value for the others, so that together they get everything too. */
const spread = <T, V>(items: readonly T[], values: readonly V[], kindOf: (item: T) => string): readonly (readonly [T, V])[] => {
  const seen = new Map<string, number>()
  return items.flatMap((item, turn) => {
    const kind = kindOf(item)
    const before = seen.get(kind) ?? 0
    seen.set(kind, before + 1)
    const own = before < IN_FULL ? values : values.filter((_, i) => i % TURNS === turn % TURNS)
    return own.map((value) => [item, value] as const)
  })
}

const inParallel = async <T>(items: readonly T[], work: (item: T) => Promise<void>) => {
  const waiting = [...items]
  const lane = async () => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await work(item)
  }
  await Promise.all(Array.from({ length: 8 }, lane))
}

test(
  'no number in a path or a query is more than the operation can take',
  async () => {
    const taking = described.operations.flatMap((operation) =>
      operation.parameters
        .filter(({ schema }) => described.resolve(schema)['type'] === 'integer')
        .map((parameter) => ({ operation, parameter })),
    )
    const kindOf = ({ parameter }: (typeof taking)[number]) => `${parameter.in} ${JSON.stringify(described.resolve(parameter.schema))}`
    const cases = spread(taking, NUMBERS, kindOf)
      .map(([what, number]) => ({ ...what, number }))
      // What is deleted is gone: one value of each kind is enough there.
      .filter(({ operation, number }) => operation.method !== 'DELETE' || !/^[1-9]\d{0,3}$/.test(number))
    expect(cases.length).toBeGreaterThan(1000)
    const found: string[] = []
    await inParallel(cases, async ({ operation, parameter, number }) => {
      const request = plain(operation)
      const sent: FuzzRequest =
        parameter.in === 'path'
          ? {
              ...request,
              segments: operation.path
                .slice(1)
                .split('/')
                .map((segment, i) => (segment === `{${parameter.name}}` ? encodeURIComponent(number) : (request.segments[i] as string))),
            }
          : { ...request, query: [[parameter.name, number]] }
      const answer = await sender.send(sent)
      const problems = problemsOf(described, undefined, sent, answer).filter(({ kind }) => kind !== 'success without an operation')
      const name = `${operation.id} ${parameter.name}=${number.slice(0, 30)}`
      found.push(...problems.map(({ kind, details }) => `${name}: ${kind} ${details}`))
      if (answer.status < 300 && /^(per_page|limit)$/.test(parameter.name) && longestList(JSON.parse(answer.text)) > MOST_PER_PAGE)
        found.push(`${name}: a list that is too long`)
      // Without its last segment a path is that of the list above it.
      const isList = parameter.in === 'path' && number === '' && operation.path.endsWith(`{${parameter.name}}`)
      if (answer.status < 300 && !isList && !/^[1-9]\d*$|^0$/.test(number)) found.push(`${name}: is taken for a number`)
    })
    console.log(`numbers ${process.env['LYCEUM_TEST_DATABASE']}: ${cases.length} requests, wrong=${found.length}`)
    expect(found).toEqual([])
  },
  PATIENCE_MS,
)

test(
  'what is no JSON is refused by every operation that takes a body, and what is odd JSON breaks none',
  async () => {
    const taking = described.operations.filter(({ body, multipart, id }) => body !== null && !multipart && !/^account\.change/.test(id))
    const texts = [...BROKEN_JSON.map((body) => ({ body, broken: true })), ...ODD_JSON.map((body) => ({ body, broken: false }))]
    const cases = spread(taking, texts, ({ method }) => method).map(([operation, text]) => ({ operation, ...text }))
    expect(cases.length).toBeGreaterThan(1000)
    const found: string[] = []
    await inParallel(cases, async ({ operation, body, broken }) => {
      const request = { ...plain(operation), body }
      const answer = await sender.send(request)
      const name = `${operation.id} ${JSON.stringify(body.slice(0, 30))}`
      found.push(...problemsOf(described, operation, request, answer).map(({ kind, details }) => `${name}: ${kind} ${details}`))
      if (broken && !(answer.status === 400 && /"code":"invalid_json"/.test(answer.text)))
        found.push(`${name}: ${answer.status} ${answer.text.slice(0, 100)}`)
    })
    console.log(`JSON ${process.env['LYCEUM_TEST_DATABASE']}: ${cases.length} requests, wrong=${found.length}`)
    expect(found.slice(0, 30)).toEqual([])
    expect(community.complaints()).toEqual([])
  },
  PATIENCE_MS,
)

test('the data hold together afterwards', async () => {
  expect((await community.examine()).violations).toEqual([])
})
