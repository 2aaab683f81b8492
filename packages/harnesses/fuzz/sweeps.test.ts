import { afterAll, beforeAll, expect, test } from 'vitest'
import { report, SOAK } from '#test/scale.ts'
import type { Operation } from './document.ts'
import { dialect } from './environment.ts'
import { BROKEN_JSON, type JsonText, NO_JSON, ODD_JSON } from './json-texts.ts'
import { Verbatim } from './oddities.ts'
import type { FuzzRequest } from './requests.ts'
import { createSweep, placesIn, type Sweep, withSegment, withValue } from './sweep.ts'
import { type Problem, problemsOf } from './verdict.ts'

const TIMEOUT_MS = 120_000 + 6000 * SOAK
const MOST_PER_PAGE = 100

const NUMBERS: readonly string[] = [
  ...'-1 0 -0 1 00 01 +1 1.0 1.5 1e3 1E3 1e-3 1e400 -1e400 0x10 0X10 0b1 0o7 1_000 1,000 1.000,00 NaN -NaN Infinity -Infinity null true [] [1] {} 1,2 ٣ １ ½ ² 1n 1f'.split(
    ' ',
  ),
  ...'100 101 255 256 32767 32768 65535 65536 2147483647 2147483648 -2147483648 -2147483649 4294967295 4294967296 9007199254740991 9007199254740992'.split(
    ' ',
  ),
  ...'9007199254740993 9223372036854775807 9223372036854775808 -9223372036854775808 -9223372036854775809 18446744073709551615 18446744073709551616'.split(
    ' ',
  ),
  '99999999999999999999',
  '1.7976931348623157e308',
  '5e-324',
  '',
  ' ',
  ' 1',
  '1 ',
  '1\u0000',
  '1\n',
  '\u00a01',
  '9'.repeat(400),
  `0.${'0'.repeat(400)}1`,
]

/** The same values as JSON: numbers where possible, and strings. */
const IN_BODIES: readonly unknown[] = [
  ...NUMBERS.filter((text) => /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(text)).map((text) => new Verbatim(text)),
  ...NUMBERS,
  null,
  true,
  [],
  [1],
  {},
]

let sweep: Sweep
beforeAll(async () => {
  sweep = await createSweep(3)
}, TIMEOUT_MS)
afterAll(() => sweep.close())

const longestList = (value: unknown): number => {
  if (Array.isArray(value)) return Math.max(value.length, ...value.map(longestList))
  return value !== null && typeof value === 'object' ? Math.max(0, ...Object.values(value).map(longestList)) : 0
}

/** How many operations of a kind receive every value; the others share them, since the same parser reads all of them. */
const IN_FULL = SOAK > 1 ? 4 * SOAK : 1
const TURNS = SOAK > 1 ? 8 : 24

/** Every value for the first items of each kind, and a share for the others, which together also receive every value. */
const spread = <T, V>(items: readonly T[], values: readonly V[], kindOf: (item: T) => string, inFull = IN_FULL, turns = TURNS) => {
  const seen = new Map<string, number>()
  return items.flatMap((item, turn) => {
    const kind = kindOf(item)
    const before = seen.get(kind) ?? 0
    seen.set(kind, before + 1)
    const own = before < inFull ? values : values.filter((_, i) => i % turns === turn % turns)
    return own.map((value) => [item, value] as const)
  })
}

const said = (name: string, problems: readonly Problem[]) => problems.map(({ kind, details }) => `${name}: ${kind} ${details}`)

test(
  'no number in a path, a query or a body breaks an operation',
  async () => {
    const { described } = sweep
    const taking = described.operations.flatMap((operation) =>
      operation.parameters
        .filter(({ schema }) => described.resolve(schema)['type'] === 'integer')
        .map((parameter) => ({ operation, parameter })),
    )
    const kindOf = ({ parameter }: (typeof taking)[number]) => `${parameter.in} ${JSON.stringify(described.resolve(parameter.schema))}`
    const cases = spread(taking, NUMBERS, kindOf)
      .map(([what, number]) => ({ ...what, number }))
      // A deleted object cannot be deleted again, so one value of each kind is enough.
      .filter(({ operation, number }) => operation.method !== 'DELETE' || !/^[1-9]\d{0,3}$/.test(number))
    expect(cases.length).toBeGreaterThan(1000)
    const found: string[] = []
    await sweep.each(cases, async ({ operation, parameter, number }) => {
      const request = sweep.plain(operation)
      const sent: FuzzRequest =
        parameter.in === 'path'
          ? withSegment(operation, request, parameter.name, number)
          : { ...request, query: [[parameter.name, number]] }
      const answer = await sweep.send(sent)
      const problems = problemsOf(described, undefined, sent, answer).filter(({ kind }) => kind !== 'success without an operation')
      const name = `${operation.id} ${parameter.name}=${JSON.stringify(number.slice(0, 30))}`
      found.push(...said(name, problems))
      if (answer.status < 300 && /^(per_page|limit)$/.test(parameter.name) && longestList(JSON.parse(answer.text)) > MOST_PER_PAGE)
        found.push(`${name}: a list that is too long`)
      // Without its last segment the path is that of the list.
      const isList = parameter.in === 'path' && number === '' && operation.path.endsWith(`{${parameter.name}}`)
      // An empty query parameter counts as absent.
      const isNone = parameter.in === 'query' && number === ''
      if (answer.status < 300 && !isList && !isNone && !/^[1-9]\d*$|^0$/.test(number)) found.push(`${name}: is taken for a number`)
    })
    const bodies = described.operations
      .filter(({ body, multipart, id }) => body !== null && !multipart && !/^(account|auth)\./.test(id))
      .flatMap((operation) => placesIn(described, operation.body as never, 'integer').map((place) => ({ operation, place })))
    const inBodies = spread(bodies, IN_BODIES, ({ operation }) => operation.method, SOAK > 1 ? 4 * SOAK : 0)
    await sweep.each(inBodies, async ([{ operation, place }, number]) => {
      const request: FuzzRequest = { ...sweep.plain(operation), body: withValue(sweep.valid(operation.body as never, ''), place, number) }
      const answer = await sweep.send(request)
      const name = `${operation.id} ${place.join('.')}=${number instanceof Verbatim ? number.text.slice(0, 30) : JSON.stringify(number)?.slice(0, 30)}`
      found.push(...said(name, problemsOf(described, operation, request, answer)))
    })
    report({ numbers: cases.length, 'in bodies': inBodies.length, wrong: found.length })
    expect([...found, ...sweep.slow].slice(0, 30)).toEqual([])
  },
  TIMEOUT_MS,
)

const takingBodies = (): Operation[] =>
  sweep.described.operations.filter(
    ({ body, multipart, id }) => body !== null && !multipart && !/^account\.change|^privacy\.delete/.test(id),
  )

interface JsonCase {
  readonly body: JsonText
  /** Must be refused, as invalid JSON or as an empty body. */
  readonly refused?: 'no JSON' | 'nothing'
}

const JSON_CASES: readonly JsonCase[] = [
  ...BROKEN_JSON.map((body): JsonCase => ({ body, refused: 'no JSON' })),
  ...NO_JSON.map((body): JsonCase => ({ body, refused: 'nothing' })),
  ...ODD_JSON.map((body): JsonCase => ({ body })),
]

/** Sends each text, transformed by `change`, to its operations and reports the problems in the responses. */
const sendTexts = async (cases: readonly (readonly [Operation, JsonCase])[], change: (body: JsonText) => JsonText = (same) => same) => {
  const found: string[] = []
  await sweep.each(cases, async ([operation, { body, refused }]) => {
    const request = { ...sweep.plain(operation), body: change(body) }
    const answer = await sweep.send(request)
    const name = `${operation.id} ${JSON.stringify(body.toString('latin1').slice(0, 40))}`
    found.push(...said(name, problemsOf(sweep.described, operation, request, answer)))
    if (refused === 'no JSON' && !(answer.status === 400 && /"code":"invalid_json"/.test(answer.text)))
      found.push(`${name}: ${answer.status} ${answer.text.slice(0, 100)}`)
  })
  return found
}

test(
  'invalid JSON is refused by every operation with a body, and unusual JSON breaks none',
  async () => {
    const cases = spread(takingBodies(), JSON_CASES, ({ method }) => method, SOAK > 1 ? 4 * SOAK : 0, SOAK > 1 ? 8 : 60)
    expect(cases.length).toBeGreaterThan(1000)
    const found = await sendTexts(cases)
    report({ 'JSON texts': JSON_CASES.length, 'of them no JSON': BROKEN_JSON.length, requests: cases.length, wrong: found.length })
    expect([...found, ...sweep.slow].slice(0, 30)).toEqual([])
    expect(sweep.community.complaints()).toEqual([])
  },
  TIMEOUT_MS,
)

test(
  'control: a parser that accepts comments and trailing commas is detected',
  async () => {
    const lenient = (body: JsonText): JsonText =>
      String(body)
        .replace(/\/\*.*?\*\/|\/\/.*$|#.*$/g, '')
        .replace(/,+([\]}])/g, '$1')
    const operation = takingBodies().find(({ id }) => id === 'feeds.create') as Operation
    const found = await sendTexts(
      JSON_CASES.map((one) => [operation, one] as const),
      lenient,
    )
    expect(found.length).toBeGreaterThan(10)
    expect(found.join('\n')).toMatch(/feeds\.create .*\/\*\*\//)
  },
  TIMEOUT_MS,
)

test('the data are consistent afterwards', async () => {
  const { violations } = await sweep.community.runChecks()
  expect({ dialect, violations }).toEqual({ dialect, violations: [] })
})
