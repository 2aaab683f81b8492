import { hash } from 'node:crypto'
import { lazy } from '@lyceum/content/lazy'
import fastJsonStringify from 'fast-json-stringify'
import type { TObject } from 'typebox'
import type { Packed } from '../http/responses/compression.ts'
import { type CacheContext, cached } from './cached.ts'
import { defineCache } from './lru-store.ts'
import type { Track } from './tags.ts'

/** 132 bits of a hash, enough to tell texts apart. */
const TAG_LENGTH = 22

export const tagOf = (text: string | Buffer): string => hash('sha1', text, 'base64url').slice(0, TAG_LENGTH)

const TAG = Symbol('tag')

/** Bytes of a response that are cached or made from cached ones, with their hash; computed once. */
type Tagged = Buffer & { [TAG]?: string }

const tagOfBytes = (bytes: Tagged): string => {
  bytes[TAG] ??= tagOf(bytes)
  return bytes[TAG]
}

/** JSON of an item that is the same for every viewer, except for the properties at its end. */
export interface Fragment {
  /** Without the properties that differ between viewers, and without the closing brace. */
  readonly open: Buffer
  /** With the values that most viewers have. */
  readonly closed: Buffer
}

/**
 * Produces the next chunk of a body; null after the last one. Not a generator, because a suspended generator retains its variables, and with
 * them the contents of the chunk that the client is reading.
 */
export type NextChunk = () => Promise<Buffer | null>

/** JSON of a response and the input of its entity tag. */
export interface Body {
  /** Without what changes between otherwise equal responses. */
  readonly tag: () => string
  readonly text: () => string | Buffer
  /** Length of the text in characters or bytes; of a body in chunks, the memory that it needs until it is sent. */
  readonly size: number
  /** The pieces of the text, if they exist already. */
  readonly pieces?: readonly [Buffer, string]
  /** Sent in place of the text: a body too large to build as a whole. */
  readonly chunks?: { readonly retained: number; readonly start: () => NextChunk }
  /** The cache entry of the response, with its compressed forms. */
  readonly packed?: Packed
}

/** Values computed once for a response that is sent many times. */
interface KnownAnswer {
  readonly tag: string
  readonly packed: Packed
}

/** A response as it was sent, or its beginning. */
export interface SerializedResponse {
  readonly beginning: Buffer
  readonly tag: string
}

/** Parts of a response that are cached JSON; the rest is serialized around them. */
const SENT = Symbol('sent')
const CHUNKED = Symbol('chunked')

/** Items of a list that are produced while the response is sent. */
export interface ChunkedItems {
  /** Bytes that are kept while the response is sent, and of the largest chunk. */
  readonly retained: number
  readonly largest: number
  /** The returned function produces the pieces of the next items and the commas between them; null after the last ones. */
  readonly start: () => () => Promise<readonly (string | Buffer)[] | null>
}

interface Parts {
  readonly [CHUNKED]?: { readonly key: string; readonly items: ChunkedItems }
  readonly [SENT]?: { readonly sent: SerializedResponse; readonly end: string; readonly seconds: number | null }
}

/** Seconds since the request began at `startedAt` (`performance.now()`). */
export const secondsSince = (startedAt: number): number => Math.round((performance.now() - startedAt) * 100) / 100_000

/** Whether responses of this schema end with their duration. */
export const isTimed = (response: object): boolean =>
  Object.hasOwn((response as { properties?: object }).properties ?? {}, 'execution_time')

/** The reusable part of a response's JSON; of a timed one, everything before the duration. */
export const toSerializedResponse = (text: string, timed: boolean): SerializedResponse => {
  const lasting = timed ? untimed(text) : text
  return { beginning: unpooledBytes(lasting), tag: tagOf(lasting) }
}

/** The response `result`, whose empty list `key` receives items that are produced while it is sent. */
export const withChunkedItems = <R extends object>(result: R, key: string, items: ChunkedItems): R =>
  Object.assign(result, { [CHUNKED]: { key, items } })

/** A body that consists only of this text. */
export const plainBody = (text: string | Buffer): Body => ({ tag: () => tagOf(text), text: () => text, size: text.length })

/** A response that was sent before; `seconds` is its current duration, null if it does not include one. */
export const fromSerializedResponse = <R>(sent: SerializedResponse, seconds: number | null): R => sentWithEnd(sent, '', seconds)

/** A response whose beginning was sent before, with another end and without a duration. */
export const sentWithEnd = <R>(sent: SerializedResponse, end: string, seconds: number | null): R =>
  ({ [SENT]: { sent, end, seconds } }) as R

const COMMA = Buffer.from(',')
const DATA = Buffer.from('{"data":')
const END = Buffer.from('}')

const TIMED = ',"execution_time":'

/** The duration at the end is not part of the content. */
const untimed = (text: string) => {
  const at = text.lastIndexOf(TIMED)
  return at < 0 ? text : text.slice(0, at)
}

/** The JSON of a response in two parts, split inside its empty list `key`. */
export const splitAt = (text: string, key: string): [head: string, rest: string] => {
  const place = text.indexOf(`"${key}":[]`)
  if (place < 0) throw new Error(`the answer has no empty list ${key}`)
  const inside = place + key.length + 4
  return [text.slice(0, inside), text.slice(inside)]
}

/** Appends these items, separated by commas; the entity tag is computed from theirs. */
export const joinItems = (head: string, items: readonly Buffer[], rest = ''): SerializedResponse => ({
  beginning: unpooledConcat([Buffer.from(head), ...items.flatMap((item, i) => (i === 0 ? [item] : [COMMA, item])), Buffer.from(rest)]),
  tag: tagOf(items.reduce((sum, item) => sum + tagOfBytes(item), head + rest)),
})

/** The response `{data: …}` with this item. */
export const dataOf = (item: Buffer): SerializedResponse => {
  const tag = tagOfBytes(item)
  return { beginning: unpooledConcat([DATA, item, END]), tag: tag.length === TAG_LENGTH ? tag : tagOf(tag) }
}

/** Caches responses with a common beginning, which may be sent to many viewers with different ends. */
const MOST_ENDS = 8
const known = new WeakMap<Buffer, Map<string, KnownAnswer>>()

const knownOf = ({ beginning, tag }: SerializedResponse, end: string): KnownAnswer => {
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

const around = (head: string, { start }: ChunkedItems, rest: string): NextChunk => {
  const next = start()
  let before = head
  let ended = false
  return async () => {
    if (ended) return null
    const items = await next()
    ended = items === null
    const chunk = ownJoin(items ? [before, ...items] : [before === head ? head : '', rest])
    before = ','
    return chunk
  }
}

/** Serializes by the contract and inserts the cached parts. `timed`: the response ends with its duration, which the entity tag ignores. */
export const assemble = (serialize: (result: unknown) => string, result: unknown, timed: boolean): Body => {
  const { [SENT]: sent, [CHUNKED]: chunked } = result as Parts
  if (sent) return bodyOf(sent)
  const text = serialize(result)
  if (chunked) {
    const { key, items } = chunked
    const { retained, largest } = items
    const [head, rest] = splitAt(text, key)
    const chunks = { retained, start: () => around(head, items, rest) }
    return { tag: () => tagOf(text), text: () => text, size: retained + largest, chunks }
  }
  const lasting = timed ? untimed(text) : text
  return { tag: () => tagOf(lasting), text: () => text, size: text.length }
}

/** A schema without some of its properties. */
const without = (schema: TObject, names: readonly string[]): object => {
  const { properties, ...rest } = schema as unknown as { properties: Record<string, unknown> }
  const kept = Object.fromEntries(Object.entries(properties).filter(([name]) => !names.includes(name)))
  const required = ((rest as { required?: string[] }).required ?? []).filter((name) => !names.includes(name))
  return { ...rest, properties: kept, required }
}

/** Serializes an object around the JSON of its property `name`, which exists already. */
export const createFrame = <T>(schema: TObject, name: string) => {
  const serializer = lazy(() => fastJsonStringify(without(schema, [name])) as (value: T) => string)
  return (value: T, member: Buffer): Buffer => Buffer.concat([Buffer.from(`${serializer()(value).slice(0, -1)},"${name}":`), member, END])
}

/**
 * Creates fragments of a schema. `usual` is the JSON of the viewer-specific properties with their most frequent values, such as
 * `"liked":false`. `of` creates a fragment, `item` completes it for one viewer.
 */
export const createFragments = <T>(schema: TObject, perCaller: readonly string[], usual: string) => {
  const serializer = lazy(() => fastJsonStringify(without(schema, perCaller)))
  return {
    of: (value: T): Fragment => {
      const closed = unpooledBytes(`${serializer()(value).slice(0, -1)},${usual}}`)
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

/** Buffers with memory of their own, for caches. A buffer from the pool of Node retains the whole pool of 64 KiB. */
export const unpooledBytes = (text: string): Buffer => {
  const out = Buffer.allocUnsafeSlow(Buffer.byteLength(text))
  out.write(text)
  return out
}

/** Concatenates several buffers in the same way. */
const unpooledConcat = (pieces: readonly Buffer[]): Buffer => {
  const out = Buffer.allocUnsafeSlow(pieces.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const piece of pieces) at += piece.copy(out, at)
  return out
}

/** Joins texts and buffers in the same way, without a string of the whole. */
const ownJoin = (pieces: readonly (string | Buffer)[]): Buffer => {
  const out = Buffer.allocUnsafeSlow(pieces.reduce((sum, piece) => sum + Buffer.byteLength(piece), 0))
  let at = 0
  for (const piece of pieces) at += typeof piece === 'string' ? out.write(piece, at) : piece.copy(out, at)
  return out
}

/** Response bodies that are the same for many callers. Their compressed forms stay with them. */
const responses = defineCache<SerializedResponse>({
  name: 'shared-responses',
  maxEntries: 6000,
  maxBytes: 40 * 2 ** 20,
  weigh: ({ beginning }) => 2 * beginning.length,
})

/** A response body. The key identifies the items and the caller's own fields in them; the values that `make` uses are cached as well. */
export const sharedResponse = (
  ctx: CacheContext,
  key: string,
  make: (track: Track) => Promise<SerializedResponse>,
): SerializedResponse | Promise<SerializedResponse> => cached(ctx, responses, key, make)
