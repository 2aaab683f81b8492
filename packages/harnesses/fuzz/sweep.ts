import { createRandom, type Random } from '#test/random.ts'
import { type Community, createCommunity } from './community.ts'
import { type Described, describeApi, type Node, type Operation } from './document.ts'
import { freshEnv } from './environment.ts'
import { createMaker, type FuzzRequest } from './requests.ts'
import { createSender, type FuzzAnswer, type Sender } from './send.ts'
import { asCurl } from './shrink.ts'
import { isSlow } from './slow.ts'
import { createGenerator } from './values.ts'

/** A community whose operations all receive the same inputs. */
export interface Sweep {
  readonly community: Community
  readonly described: Described
  readonly sender: Sender
  readonly random: Random
  /** A valid request for the operation with its required fields, as an administrator. */
  plain(operation: Operation): FuzzRequest
  /** A value that matches the schema. */
  valid(schema: Node, name: string): unknown
  /** Processes the items with limited concurrency and repairs the community in between. */
  each<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void>
  send(request: FuzzRequest): Promise<FuzzAnswer>
  /** Slow requests that were slow again when repeated on their own, so not because the machine was busy. */
  readonly slow: readonly string[]
  close(): Promise<void>
}

const AT_ONCE = 8
const HEAL_EVERY = 1000

export const createSweep = async (seed: number): Promise<Sweep> => {
  const random = createRandom(seed)
  const community = await createCommunity(await freshEnv(), random)
  const described = describeApi(new URL(community.base).pathname)
  const sender = createSender(community, 50)
  const generator = createGenerator(random, community.pools, described.resolve)
  const maker = createMaker(random, community.pools, generator)
  await community.heal()

  let held: FuzzRequest[] = []
  const slow: string[] = []
  const send = async (request: FuzzRequest): Promise<FuzzAnswer> => {
    const answer = await sender.send(request)
    if (isSlow(request.operation, answer.ms)) held.push(request)
    return answer
  }
  const sendHeldAgain = async () => {
    for (const request of held) {
      const times = [await sender.send(request), await sender.send(request), await sender.send(request)].map(({ ms }) => ms)
      if (isSlow(request.operation, Math.min(...times))) slow.push(`${asCurl(request, '')}: ${times.map(Math.round).join(', ')} ms`)
    }
    held = []
  }
  return {
    slow,
    community,
    described,
    sender,
    random,
    send,
    valid: generator.valid,
    plain: (operation) => {
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
    },
    each: async (items, work) => {
      for (let from = 0; from < items.length; from += HEAL_EVERY) {
        if (from > 0) await community.heal()
        const waiting = items.slice(from, from + HEAL_EVERY).reverse()
        const lane = async () => {
          for (let item = waiting.pop(); item !== undefined; item = waiting.pop()) await work(item)
        }
        await Promise.all(Array.from({ length: AT_ONCE }, lane))
        await sendHeldAgain()
      }
    },
    close: async () => {
      sender.close()
      await community.close()
    },
  }
}

/** The path of a request with one parameter replaced. */
export const withSegment = (operation: Operation, request: FuzzRequest, name: string, text: string): FuzzRequest => ({
  ...request,
  segments: operation.path
    .slice(1)
    .split('/')
    .map((segment, i) => (segment === `{${name}}` ? encodeURIComponent(text) : (request.segments[i] as string))),
})

/** The path to a value in a body; `*` is the first item of a list. */
export type Place = readonly string[]

const MOST_DEPTH = 4

/** All places in a body with values of this type. */
export const placesIn = ({ resolve }: Described, given: Node, type: 'string' | 'integer', before: Place = []): Place[] => {
  const schema = resolve(given)
  if (before.length > MOST_DEPTH) return []
  const { properties, items, anyOf, oneOf, allOf } = schema as {
    properties?: Record<string, Node>
    items?: Node
    anyOf?: Node[]
    oneOf?: Node[]
    allOf?: Node[]
  }
  const types = [schema['type']].flat()
  const own = types.includes(type) && before.length > 0 ? [before] : []
  const choices = (anyOf ?? oneOf ?? allOf ?? []).flatMap((choice) => placesIn(describedBy(resolve), choice, type, before))
  const named = Object.entries(properties ?? {}).flatMap(([name, inner]) => placesIn(describedBy(resolve), inner, type, [...before, name]))
  const listed = items ? placesIn(describedBy(resolve), items, type, [...before, '*']) : []
  const all = [...own, ...choices, ...named, ...listed]
  return [...new Map(all.map((place) => [place.join('.'), place])).values()]
}

const describedBy = (resolve: Described['resolve']) => ({ resolve }) as Described

/** The body with a value at that place, creating its parents. */
export const withValue = (body: unknown, [name, ...rest]: Place, value: unknown): unknown => {
  if (name === undefined) return value
  if (name === '*') return [withValue(Array.isArray(body) ? body[0] : undefined, rest, value)]
  const fields = body !== null && typeof body === 'object' && !Array.isArray(body) ? body : {}
  return { ...fields, [name]: withValue((fields as Record<string, unknown>)[name], rest, value) }
}
