import { hash } from 'node:crypto'
import fastJsonStringify from 'fast-json-stringify'
import type { TObject } from 'typebox'
import type { Packed } from '../http/responses/compression.ts'
import { ownBytes, ownConcat } from '../http/responses/unpooled-buffer.ts'
import { lazy } from '../util/lazy.ts'

/** Enough of a hash to tell texts apart: 132 bits. */
const TAG_LENGTH = 22

/** The hash of a text, as it stands in a tag. */
export const tagOf = (text: string | Buffer): string => hash('sha1', text, 'base64url').slice(0, TAG_LENGTH)

const TAG = Symbol('tag')

/** Bytes of an answer that are kept, or made of kept ones, with their hash; made once, however often they are sent. */
type Tagged = Buffer & { [TAG]?: string }

const tagOfBytes = (bytes: Tagged): string => {
  bytes[TAG] ??= tagOf(bytes)
  return bytes[TAG]
}

/** JSON of one item that is the same for every caller, but for the members at its end. */
export interface Fragment {
  /** Without the members that differ from caller to caller, and without the closing brace. */
  readonly open: Buffer
  /** With the values that they have for most callers. */
  readonly closed: Buffer
}

/** An answer's JSON with what its tag is made of. */
export interface Body {
  /** Without what changes from one answer to the next though nothing else did. */
  readonly tag: () => string
  readonly text: () => string | Buffer
  /** How long the text is, in characters or bytes. */
  readonly size: number
  /** The text in the pieces that it is made of, where they are there already. */
  readonly pieces?: readonly [Buffer, string]
  /** What is sent in place of the text: a body too large to be made as a whole. */
  readonly portions?: () => AsyncIterable<Buffer>
  /** Where the answer is kept: what was packed of it. */
  readonly packed?: Packed
}

/** What is found out once about an answer that is sent again and again. */
interface KnownAnswer {
  readonly tag: string
  readonly packed: Packed
}

/** An answer as it was sent, or the beginning of it. */
export interface SentAnswer {
  readonly beginning: Buffer
  readonly tag: string
}

/** Parts of an answer that are JSON already, because they were kept: the rest is serialised around them. */
const ITEMS = Symbol('items')
const SENT = Symbol('sent')
const PORTIONS = Symbol('portions')

type Portions = () => AsyncIterable<readonly Buffer[]>

interface Parts {
  readonly [ITEMS]?: { readonly key: string; readonly items: readonly Buffer[] }
  readonly [PORTIONS]?: { readonly key: string; readonly portions: Portions }
  readonly [SENT]?: { readonly sent: SentAnswer; readonly end: string; readonly seconds: number | null }
}

/** How long a request that began at `startedAt`, by `performance.now()`, has taken, in seconds. */
export const secondsSince = (startedAt: number): number => Math.round((performance.now() - startedAt) * 100) / 100_000

/** Whether answers of that schema end with how long they took. */
export const isTimed = (response: object): boolean =>
  Object.hasOwn((response as { properties?: object }).properties ?? {}, 'execution_time')

/** What may be sent again of an answer's JSON: of a timed one what stands before the time. */
export const toSendAgain = (text: string, timed: boolean): SentAnswer => {
  const lasting = timed ? untimed(text) : text
  return { beginning: ownBytes(lasting), tag: tagOf(lasting) }
}

/** The answer `result`, whose empty list `key` is to hold these items. */
export const withItems = <R extends object>(result: R, key: string, items: readonly Buffer[]): R =>
  Object.assign(result, { [ITEMS]: { key, items } })

/** The answer `result`, whose empty list `key` is to hold items that are made while it is sent, some at a time. */
export const inPortions = <R extends object>(result: R, key: string, portions: Portions): R =>
  Object.assign(result, { [PORTIONS]: { key, portions } })

/** An answer's body that is nothing but that text. */
export const plainBody = (text: string | Buffer): Body => ({ tag: () => tagOf(text), text: () => text, size: text.length })

/** An answer that was sent before; `seconds`: how long it took this time, null where it does not say so. */
export const sentAgain = <R>(sent: SentAnswer, seconds: number | null): R => sentWithEnd(sent, '', seconds)

/** An answer whose beginning was sent before, with an end of its own, which does not say how long it took. */
export const sentWithEnd = <R>(sent: SentAnswer, end: string, seconds: number | null): R => ({ [SENT]: { sent, end, seconds } }) as R

const COMMA = Buffer.from(',')
const DATA = Buffer.from('{"data":')
const END = Buffer.from('}')

const TIMED = ',"execution_time":'

/** What is said last, how long it took, tells nothing of the answer. */
const untimed = (text: string) => {
  const at = text.lastIndexOf(TIMED)
  return at < 0 ? text : text.slice(0, at)
}

/** The JSON of an answer in two: as far as into its empty list `key`, and from there on. */
export const splitAt = (text: string, key: string): [head: string, rest: string] => {
  const place = text.indexOf(`"${key}":[]`)
  if (place < 0) throw new Error(`the answer has no empty list ${key}`)
  const inside = place + key.length + 4
  return [text.slice(0, inside), text.slice(inside)]
}

/** A text with these items, and commas between them, behind it; its tag is made of theirs. */
export const joinItems = (head: string, items: readonly Buffer[], rest = ''): SentAnswer => ({
  beginning: ownConcat([Buffer.from(head), ...items.flatMap((item, i) => (i === 0 ? [item] : [COMMA, item])), Buffer.from(rest)]),
  tag: tagOf(items.reduce((sum, item) => sum + tagOfBytes(item), head + rest)),
})

/** The answer `{data: …}` with that item as its data. */
export const dataOf = (item: Buffer): SentAnswer => {
  const tag = tagOfBytes(item)
  return { beginning: ownConcat([DATA, item, END]), tag: tag.length === TAG_LENGTH ? tag : tagOf(tag) }
}

/** Answers of one beginning of which that is remembered: it may be sent to many, to each with an end of its own. */
const MOST_ENDS = 8
const known = new WeakMap<Buffer, Map<string, KnownAnswer>>()

const knownOf = ({ beginning, tag }: SentAnswer, end: string): KnownAnswer => {
  const ends = known.get(beginning) ?? new Map<string, KnownAnswer>()
  const found = ends.get(end)
  if (found) return found
  const [oldest] = ends.keys()
  if (ends.size >= MOST_ENDS && oldest !== undefined) ends.delete(oldest)
  const made: KnownAnswer = { tag: end === '' ? tag : tagOf(tag + end), packed: {} }
  known.set(beginning, ends.set(end, made))
  return made
}

const bodyOf = ({ sent, end, seconds }: NonNullable<Parts[typeof SENT]>): Body => {
  const { beginning } = sent
  const said = seconds === null ? end : `${end}${TIMED}${seconds}}`
  const { tag, packed } = knownOf(sent, end)
  return {
    tag: () => tag,
    text: () => (said === '' ? beginning : Buffer.concat([beginning, Buffer.from(said)])),
    size: beginning.length + said.length,
    pieces: [beginning, said],
    packed,
  }
}

async function* around(head: string, portions: Portions, rest: string): AsyncGenerator<Buffer> {
  let before = head
  for await (const items of portions()) {
    if (items.length === 0) continue
    yield Buffer.concat([Buffer.from(before), ...items.flatMap((item, i) => (i === 0 ? [item] : [COMMA, item]))])
    before = ','
  }
  yield Buffer.from((before === head ? head : '') + rest)
}

/** Serialises by the contract and puts the kept parts in. `timed`: the answer ends with the time it took, which its tag leaves out. */
export const assemble = (serialize: (result: unknown) => string, result: unknown, timed: boolean): Body => {
  const { [ITEMS]: list, [SENT]: sent, [PORTIONS]: later } = result as Parts
  if (sent) return bodyOf(sent)
  const text = serialize(result)
  if (later) {
    const [head, rest] = splitAt(text, later.key)
    return { tag: () => tagOf(text), text: () => text, size: text.length, portions: () => around(head, later.portions, rest) }
  }
  const lasting = timed ? untimed(text) : text
  if (!list || list.items.length === 0) return { tag: () => tagOf(lasting), text: () => text, size: text.length }
  const [head, rest] = splitAt(lasting, list.key)
  const { beginning, tag } = joinItems(head, list.items, rest)
  const end = text.slice(lasting.length)
  return {
    tag: () => tag,
    text: () => (timed ? Buffer.concat([beginning, Buffer.from(end)]) : beginning),
    size: beginning.length + end.length,
  }
}

/** A shape without some of its members. */
const without = (schema: TObject, names: readonly string[]): object => {
  const { properties, ...rest } = schema as unknown as { properties: Record<string, unknown> }
  const kept = Object.fromEntries(Object.entries(properties).filter(([name]) => !names.includes(name)))
  const required = ((rest as { required?: string[] }).required ?? []).filter((name) => !names.includes(name))
  return { ...rest, properties: kept, required }
}

/** Makes JSON of a shape around the JSON of its member `name`, which was made before; the rest is serialised by the shape. */
export const createFrame = <T>(schema: TObject, name: string) => {
  const serializer = lazy(() => fastJsonStringify(without(schema, [name])) as (value: T) => string)
  return (value: T, member: Buffer): Buffer => Buffer.concat([Buffer.from(`${serializer()(value).slice(0, -1)},"${name}":`), member, END])
}

/**
 * Makes fragments of a shape. `usual` is the JSON of the members that differ from caller to caller as most callers have them, such as
 * `"liked":false`; `of` makes a fragment, `item` is it for one caller.
 */
export const createFragments = <T>(schema: TObject, perCaller: readonly string[], usual: string) => {
  const serializer = lazy(() => fastJsonStringify(without(schema, perCaller)))
  return {
    of: (value: T): Fragment => {
      const closed = ownBytes(`${serializer()(value).slice(0, -1)},${usual}}`)
      return { open: closed.subarray(0, closed.length - usual.length - 2), closed }
    },
    item: ({ open, closed }: Fragment, own: string): Buffer => {
      if (own === usual) return closed
      const item: Tagged = Buffer.concat([open, Buffer.from(`,${own}}`)])
      item[TAG] = tagOfBytes(closed) + own
      return item
    },
  }
}
