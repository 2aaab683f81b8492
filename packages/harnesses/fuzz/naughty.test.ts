import { afterAll, beforeAll, expect, test } from 'vitest'
import { report, SOAK } from '#test/scale.ts'
import type { Operation } from './document.ts'
import { dialect } from './environment.ts'
import { NAUGHTY } from './naughty.ts'
import type { FuzzRequest } from './requests.ts'
import type { FuzzAnswer } from './send.ts'
import { createSweep, type Place, placesIn, type Sweep, withSegment, withValue } from './sweep.ts'
import { problemsOf } from './verdict.ts'

/** How many of the texts each place gets; together the places get all of them. */
const EACH = Math.min(NAUGHTY.length, SOAK)
/** Places take twice as long on PostgreSQL, where a short run tries every other. */
const EVERY = SOAK === 1 && dialect === 'postgres' ? 2 : 1
const TIMEOUT_MS = 120_000 + EACH * 20_000
/** What would end the session of who asks, or lock him out. */
const LEFT_OUT = /^(account\.change|auth\.logout|privacy\.|managers\.|members\.)/

/** Headers of a request that the server reads. */
const HEADERS = [
  'authorization',
  'cookie',
  'x-lyceum-nonce',
  'idempotency-key',
  'x-request-id',
  'accept',
  'accept-language',
  'accept-encoding',
  'content-type',
  'content-encoding',
  'if-none-match',
  'if-modified-since',
  'range',
  'user-agent',
  'referer',
  'origin',
  'x-forwarded-for',
  'forwarded',
  'x-http-method-override',
]

/** Somewhere a text can stand in the requests of an operation. */
interface Slot {
  readonly operation: Operation
  readonly name: string
  /** The field of a body that has the text. */
  readonly field?: string
  put(text: string): FuzzRequest
}

let sweep: Sweep
beforeAll(async () => {
  sweep = await createSweep(5)
}, TIMEOUT_MS)
afterAll(() => sweep.close())

/** What a request line may have, so that it is the app that answers and not the reader of its head. */
const LONGEST = 3000
const inAddress = (text: string) => (encodeURIComponent(text.toWellFormed()).length > LONGEST ? text.slice(0, 200) : text).toWellFormed()

/** A header is bytes: what may not stand in one is left out, since no client would send it. */
const asHeader = (name: string, text: string) => {
  const bytes = Buffer.from(text.slice(0, 2000), 'utf8')
    .toString('latin1')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is left out
    .replace(/[\u0000-\u0008\u000a-\u001f\u007f]/g, '')
  if (name === 'authorization') return `Basic ${Buffer.from(`${text}:${text}`).toString('base64')}`
  return name === 'cookie' ? `lyceum_session=${bytes}` : bytes
}

const slotsOf = (operation: Operation): Slot[] => {
  const { described, plain } = sweep
  const strings = operation.parameters.filter(({ schema }) => described.resolve(schema)['type'] === 'string')
  const inPath = strings
    .filter(({ in: where }) => where === 'path')
    .map(({ name }) => ({
      name: `${operation.id} path ${name}`,
      operation,
      put: (text: string) => withSegment(operation, plain(operation), name, inAddress(text)),
    }))
  const inQuery = strings
    .filter(({ in: where }) => where === 'query')
    .map(({ name }) => ({
      name: `${operation.id} query ${name}`,
      operation,
      put: (text: string): FuzzRequest => ({ ...plain(operation), query: [[name, inAddress(text)]] }),
    }))
  const { body, multipart } = operation
  const places: Place[] = body && !multipart ? placesIn(described, body, 'string') : []
  const inBody = places.map((place) => ({
    name: `${operation.id} body ${place.join('.')}`,
    ...(place.length === 1 && { field: place[0] as string }),
    operation,
    put: (text: string): FuzzRequest => ({ ...plain(operation), body: withValue(sweep.valid(body as never, ''), place, text) }),
  }))
  return [...inPath, ...inQuery, ...inBody]
}

const inHeaders = (operation: Operation): Slot[] =>
  HEADERS.map((header) => ({
    name: `${operation.id} header ${header}`,
    operation,
    put: (text) => {
      const request = sweep.plain(operation)
      const body = operation.body ? sweep.valid(operation.body, '') : undefined
      return { ...request, body, headers: { [header]: asHeader(header, text) } }
    },
  }))

const allSlots = (): Slot[] => {
  const operations = sweep.described.operations.filter(({ id }) => !LEFT_OUT.test(id))
  const read = operations.filter(({ id }) => ['feeds.list', 'feeds.create', 'settings.public', 'auth.session'].includes(id))
  return [...read.flatMap(inHeaders), ...operations.flatMap(slotsOf)]
}

/** Fields that are shown as they were sent, apart from space around them and what is no character. */
const AS_SENT =
  /^((feeds|spaces|adminTopics|courses|courseSections|adminLessons|spaceGroups|webhooks|account)\.(create\w*|update) body (title|message|name)|comments\.(create|update) body comment)$/
/** Of these what parts lines is a space. */
const ON_ONE_LINE = / body (title|name)$/

const shown = ({ name }: Slot, text: string) => {
  const written = text.toWellFormed().normalize().trim()
  return ON_ONE_LINE.test(name) ? written.replace(/\s+/g, ' ') : written
}

/** The record that an answer tells of has the field as it was sent. */
const changed = (slot: Slot, text: string, { status, text: answer }: FuzzAnswer): string[] => {
  const { name, field } = slot
  if (!field || status >= 300 || !AS_SENT.test(name)) return []
  const body = JSON.parse(answer) as Record<string, unknown>
  const record = (typeof body['id'] === 'number' ? body : Object.values(body).find((part) => part !== null && typeof part === 'object')) as
    | Record<string, unknown>
    | undefined
  const got = record?.[field === 'comment' ? 'message' : field]
  if (typeof got !== 'string' || shown(slot, got) === shown(slot, text)) return []
  return [`comes back as ${JSON.stringify(got.slice(0, 60))}`]
}

const wrongWith = async (slot: Slot, text: string, change: (text: string) => string = (same) => same): Promise<string[]> => {
  const { operation, name } = slot
  const request = slot.put(text)
  const answer = await sweep.send(request)
  const told = / path /.test(name) ? undefined : operation
  const problems = problemsOf(sweep.described, told, request, answer).filter(({ kind }) => kind !== 'success without an operation')
  return [
    ...problems.map(({ kind, details }) => `${kind} ${details}`),
    ...changed(slot, text, { ...answer, text: change(answer.text) }),
  ].map((what) => `${name} ${JSON.stringify(text.slice(0, 40))}: ${what}`)
}

test(
  'no text in any field, path, query or header breaks an operation, and accepted text is returned unchanged',
  async () => {
    expect(NAUGHTY.length).toBeGreaterThan(500)
    const slots = allSlots()
    const turns = Array.from({ length: slots.length * EACH }, (_, turn) => turn).filter((turn) => turn % EVERY === 0)
    const found: string[] = []
    await sweep.each(turns, async (turn) => {
      // Each round gives a place another text, and the places together get all of them.
      const [at, round] = [turn % slots.length, Math.floor(turn / slots.length)]
      found.push(...(await wrongWith(slots[at] as Slot, NAUGHTY[(at + round * 7) % NAUGHTY.length] as string)))
    })
    report({ texts: NAUGHTY.length, places: slots.length, requests: turns.length, wrong: found.length, 'over a second': sweep.slow.length })
    expect([...found, ...sweep.slow].slice(0, 40)).toEqual([])
    expect(sweep.community.complaints()).toEqual([])
    expect((await sweep.community.runChecks()).violations).toEqual([])
  },
  TIMEOUT_MS,
)

test(
  'control: a server that loses characters is detected',
  async () => {
    await sweep.community.heal()
    const slots = sweep.described.operations.filter(({ id }) => id === 'spaceGroups.create').flatMap(slotsOf)
    const found: string[] = []
    for (const slot of slots.filter(({ field }) => field === 'title'))
      found.push(...(await wrongWith(slot, 'Ångström', (text) => text.replaceAll('ö', ''))))
    expect(found).toEqual([expect.stringContaining('comes back as "Ångstrm"')])
  },
  TIMEOUT_MS,
)
