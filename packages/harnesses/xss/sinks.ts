import { sent } from '#test/valid-bodies.ts'
import type { Member, RawAnswer } from '#test/world.ts'
import type { Payload } from '#test/xss-payloads/index.ts'
import { nameOf, type TextField, withValue } from '../ssrf/fields.ts'
import { type Operation, routeAt, type Stage } from './fields.ts'
import { type Collection, textsOf } from './shown.ts'

/** What a field accepts: any text, restricted text, only URLs, only drawings, or none of them. */
type Takes = 'text' | 'some' | 'address' | 'drawing' | 'nothing'

/** A word in each form, the most restricted first. */
const PROBES: readonly (readonly [Takes, (word: string) => string])[] = [
  ['text', (word) => `${word} <b>"'&`],
  ['some', (word) => word],
  ['address', (word) => `https://${word}.example/`],
  ['drawing', (word) => `<svg fill="${word}"></svg>`],
]
const DRAWINGS: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => `<svg>${text}</svg>`,
  (text) => `<svg fill="${text}"></svg>`,
  (text) => `<svg><path d="M0 0"/></svg>${text}`,
]

interface Place {
  readonly field: TextField
  readonly takes: Takes
  readonly longest: number
}

/** An operation, what its fields accept, and where the values can be read afterwards. */
export interface Sink {
  readonly operation: Operation
  readonly places: readonly Place[]
  readonly reads: readonly string[]
}

export interface Found {
  readonly sinks: readonly Sink[]
  /** Fields whose text appears in a response, with how it is shown. */
  readonly shown: ReadonlyMap<string, ReadonlySet<string>>
  /** Fields that accept text that appears nowhere. */
  readonly unmet: readonly string[]
}

type Schema = Readonly<Record<string, unknown>>

/** Maximum text length of a field in the contract. */
export const longestOf = ({ route, path }: TextField): number => {
  let schema = route.body as unknown as Schema | undefined
  for (const name of path) {
    const { properties, items } = (schema ?? {}) as { properties?: Record<string, Schema>; items?: Schema }
    schema = typeof name === 'number' ? items : properties?.[name]
  }
  return Number(schema?.['maxLength'] ?? Number.POSITIVE_INFINITY)
}

/** Families whose payloads could pass for a URL, a color or a name. */
const NARROW = new Set(['addresses', 'breakouts', 'json', 'polyglots'])

let made = 0
const send = (
  { admin }: Stage,
  { base, route, path }: Operation,
  given: readonly (readonly [TextField, string])[],
  format: string | null,
) => {
  made += 1
  const empty = { ...base(made), ...(format !== null && { content_type: format }) }
  const body = given.reduce<unknown>((whole, [field, value]) => withValue(whole, field.path, value), empty)
  return admin.raw(route.method, path, ...sent(route, body as object))
}
const worked = ({ status }: RawAnswer) => status < 300

/** Sends a word to each field and searches every response for it. */
export const findSinks = async (stage: Stage): Promise<Found> => {
  const { operations, reading, admin, author, world } = stage
  const fields = operations.flatMap((operation) => operation.fields.map((field) => ({ operation, field })))
  const met = fields.map(() => new Set<string>())
  const takes: Takes[] = []
  const readsOf = new Map<Operation, Set<string>>(operations.map((operation) => [operation, new Set()]))

  const note = (body: unknown, method: string, address: string, read: boolean) => {
    for (const { path, kind, value } of textsOf(body, routeAt(method, address))) {
      for (const [, number] of value.matchAll(/probe(\d+)x/g)) {
        const found = fields[Number(number)]
        const seen = met[Number(number)]
        if (!found || !seen) continue
        // Text is the same wherever it is shown as text; rendered HTML may be rendered in several ways.
        const how = kind === 'html' ? `html ${path.split('.').at(-1)}` : kind
        if (seen.has(how)) continue
        seen.add(how)
        if (read) readsOf.get(found.operation)?.add(address)
      }
    }
  }
  const noteWrite = async (operation: Operation, answer: RawAnswer) => {
    note(answer.body, operation.route.method, operation.path, false)
    const own = operation.made(answer.body)
    if (own) note((await admin.raw('GET', own)).body, 'GET', own, false)
  }
  const readAll = async (addresses: readonly string[], readers: readonly Member[]) => {
    for (const address of addresses) {
      for (const who of readers) note((await who.raw('GET', address)).body, 'GET', address, who === admin)
    }
  }
  /** Sends all individually accepted values together, because the next request may overwrite a value that is sent alone. */
  const sendTogether = async (operation: Operation, wanted: (index: number) => boolean) => {
    const given = fields.flatMap(({ operation: of, field }, i) => {
      const probe = PROBES.find(([kind]) => kind === takes[i])?.[1]
      return of === operation && probe && wanted(i) ? [[field, probe(`probe${i}x`)] as const] : []
    })
    if (given.length === 0) return
    const answer = await send(stage, operation, given, null)
    if (worked(answer)) await noteWrite(operation, answer)
  }

  for (const [i, { operation, field }] of fields.entries()) {
    takes[i] = 'nothing'
    for (const [kind, probe] of PROBES) {
      const answer = await send(stage, operation, [[field, probe(`probe${i}x`)]], null)
      if (!worked(answer)) continue
      takes[i] = kind
      await noteWrite(operation, answer)
      break
    }
    if (fields[i + 1]?.operation !== operation) await sendTogether(operation, () => true)
  }
  await world.runPendingJobs()
  await readAll(reading, [admin, author])
  // Values that another operation has overwritten are sent and searched again.
  for (const operation of operations) {
    const isUnmet = (i: number) => fields[i]?.operation === operation && takes[i] !== 'nothing' && met[i]?.size === 0
    if (!fields.some((_, i) => isUnmet(i))) continue
    await sendTogether(operation, isUnmet)
    const about = operation.path.replace(/^\/admin/, '').split('/', 2)[1] as string
    await readAll(
      reading.filter((address) => address.includes(`/${about}`)),
      [admin],
    )
  }
  const placeOf = (field: TextField): Place => ({
    field,
    takes: takes[fields.findIndex((one) => one.field === field)] ?? 'nothing',
    longest: longestOf(field),
  })
  return {
    sinks: operations.map((operation) => ({
      operation,
      places: operation.fields.map(placeOf),
      reads: [...(readsOf.get(operation) ?? [])],
    })),
    shown: new Map(fields.map(({ field }, i) => [nameOf(field), met[i] as Set<string>])),
    unmet: fields.filter((_, i) => takes[i] !== 'nothing' && met[i]?.size === 0).map(({ field }) => nameOf(field)),
  }
}

export interface Figures {
  requests: number
  taken: number
  refused: number
  /** Server errors. */
  readonly failures: string[]
}

/**
 * Sends each payload in each field of an operation, in each format, and collects the values in the response and in later reads. All fields
 * get different payloads in one request; if it is refused, each field is sent alone.
 */
export const fillSink = async (
  stage: Stage,
  { operation, places, reads }: Sink,
  payloads: readonly Payload[],
  into: Collection,
  figures: Figures,
): Promise<void> => {
  const { admin } = stage
  const { name, route, formats } = operation
  const look = async (answer: RawAnswer): Promise<boolean> => {
    figures.requests += 1
    if (answer.status >= 500) figures.failures.push(`${name}: ${answer.status} ${answer.text.slice(0, 200)}`)
    if (!worked(answer)) return false
    into.add(name, answer.body, route)
    const own = operation.made(answer.body)
    for (const address of own ? [own] : reads) {
      figures.requests += 1
      into.add(`GET ${address.split('?', 1)[0]}`, (await admin.raw('GET', address)).body, routeAt('GET', address))
    }
    return true
  }
  const attempt = async (given: readonly (readonly [TextField, string])[], format: string | null): Promise<boolean> => {
    const taken = await look(await send(stage, operation, given, format))
    if (taken) figures.taken += given.length
    else if (given.length === 1) figures.refused += 1
    return taken
  }

  const texts = places.filter(({ takes }) => takes === 'text')
  for (const format of texts.length > 0 ? formats : []) {
    for (let round = 0; round < payloads.length; round++) {
      const given = texts.map(({ field, longest }, i) => {
        const { text } = payloads[(round + i * 31) % payloads.length] as Payload
        return [field, text.slice(0, longest)] as const
      })
      if ((await attempt(given, format)) || given.length === 1) continue
      for (const one of given) await attempt([one], format)
    }
  }
  for (const { field, takes } of places) {
    if (takes === 'text') continue
    const narrow = takes === 'address' || takes === 'nothing'
    const own = narrow ? payloads.filter(({ family }) => NARROW.has(family)) : payloads
    for (const { text } of own) {
      for (const drawn of takes === 'drawing' ? DRAWINGS : DRAWINGS.slice(0, 1)) await attempt([[field, drawn(text)]], null)
    }
  }
}
