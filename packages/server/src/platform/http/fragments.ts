import { hash } from 'node:crypto'
import fastJsonStringify from 'fast-json-stringify'
import type { TObject } from 'typebox'
import { whenWanted } from '../library.ts'
import { ownBytes, ownConcat } from './own-bytes.ts'

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
  /** The text in the pieces that it is made of, where they are there already. */
  readonly pieces?: readonly [Buffer, string]
  /** Bytes that stay the same object as long as the answer does. */
  readonly kept?: Buffer
}

/** An answer as it was sent, but for how long it took, which it ends with. */
export interface SentAnswer {
  readonly beginning: Buffer
  readonly tag: string
}

/** Parts of an answer that are JSON already, because they were kept: the rest is serialised around them. */
const ITEMS = Symbol('items')
const WHOLE = Symbol('whole')
const AGAIN = Symbol('again')
const ENDED = Symbol('ended')

/** Is given an answer that may be sent again. */
export type Keep = (sent: SentAnswer) => void

interface Parts {
  readonly [ITEMS]?: { readonly key: string; readonly items: readonly Buffer[]; readonly keep: Keep | undefined }
  readonly [AGAIN]?: { readonly sent: SentAnswer; readonly seconds: number | null }
  readonly [ENDED]?: { readonly sent: SentAnswer; readonly end: string }
  readonly [WHOLE]?: { readonly item: Buffer; readonly keep: Keep | undefined }
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

/** The answer `result`, whose empty list `key` is to hold these items. `keep` is given the answer, to be sent again. */
export const withItems = <R extends object>(result: R, key: string, items: readonly Buffer[], keep?: Keep): R =>
  Object.assign(result, { [ITEMS]: { key, items, keep } })

/** An answer's body that is nothing but that text. */
export const plainBody = (text: string | Buffer): Body => ({ tag: () => tagOf(text), text: () => text })

/** An answer that was sent before; `seconds`: how long it took this time, null where it does not say so. */
export const sentAgain = <R>(sent: SentAnswer, seconds: number | null): R => ({ [AGAIN]: { sent, seconds } }) as R

/** An answer whose beginning was sent before, with an end of its own. */
export const sentWithEnd = <R>(sent: SentAnswer, end: string): R => ({ [ENDED]: { sent, end } }) as R

/** An answer that is `{data: …}` with that item as its data. `keep` is given the answer, to be sent again. */
export const wholeData = <R>(item: Buffer, keep?: Keep): R => ({ [WHOLE]: { item, keep } }) as R

const asTag = (text: string) => (text.length === TAG_LENGTH ? text : tagOf(text))

const COMMA = 0x2c
const DATA = Buffer.from('{"data":')
const END = Buffer.from('}')

const TIMED = ',"execution_time":'

/** What is said last, how long it took, tells nothing of the answer. */
const untimed = (text: string) => {
  const at = text.lastIndexOf(TIMED)
  return at < 0 ? text : text.slice(0, at)
}

/** The text with these items, and commas between them, at `place`. */
const joined = (text: string, place: number, items: readonly Buffer[], allocate: (size: number) => Buffer): Buffer => {
  const head = Buffer.from(text.slice(0, place))
  const tail = Buffer.from(text.slice(place))
  let size = head.length + tail.length + items.length - 1
  for (const item of items) size += item.length
  const out = allocate(size)
  out.set(head)
  let at = head.length
  for (const [i, item] of items.entries()) {
    if (i > 0) out[at++] = COMMA
    out.set(item, at)
    at += item.length
  }
  out.set(tail, at)
  return out
}

const bodyOf = ({ beginning, tag }: SentAnswer, end: string): Body => ({
  tag: () => tag,
  text: () => Buffer.concat([beginning, Buffer.from(end)]),
  pieces: [beginning, end],
  kept: beginning,
})

const bodyWithEnd = ({ beginning, tag }: SentAnswer, end: string): Body => ({
  tag: () => tagOf(tag + end),
  text: () => Buffer.concat([beginning, Buffer.from(end)]),
  pieces: [beginning, end],
})

const bodyAgain = (sent: SentAnswer, seconds: number | null): Body =>
  seconds === null ? { tag: () => sent.tag, text: () => sent.beginning, kept: sent.beginning } : bodyOf(sent, `${TIMED}${seconds}}`)

/** Serialises by the contract and puts the kept parts in. `timed`: the answer ends with the time it took, which its tag leaves out. */
export const assemble = (serialize: (result: unknown) => string, result: unknown, timed: boolean): Body => {
  const { [ITEMS]: list, [WHOLE]: whole, [AGAIN]: again, [ENDED]: ended } = result as Parts
  if (again) return bodyAgain(again.sent, again.seconds)
  if (ended) return bodyWithEnd(ended.sent, ended.end)
  if (whole) {
    const concat = whole.keep ? ownConcat : Buffer.concat
    const sent = { beginning: concat([DATA, whole.item, END]), tag: asTag(tagOfBytes(whole.item)) }
    whole.keep?.(sent)
    return bodyAgain(sent, null)
  }
  const text = serialize(result)
  const lasting = timed ? untimed(text) : text
  if (!list || list.items.length === 0) return { tag: () => tagOf(lasting), text: () => text }
  const { key, items, keep } = list
  const place = text.indexOf(`"${key}":[]`)
  if (place < 0) throw new Error(`the answer has no empty list ${key}`)
  const tag = () => tagOf(items.reduce((sum, item) => sum + tagOfBytes(item), lasting))
  const whence = place + key.length + 4
  if (!keep) return { tag, text: () => joined(text, whence, items, Buffer.allocUnsafe) }
  const sent = { beginning: joined(lasting, whence, items, Buffer.allocUnsafeSlow), tag: tag() }
  keep(sent)
  return timed ? bodyOf(sent, text.slice(lasting.length)) : bodyAgain(sent, null)
}

/**
 * Makes fragments of a shape. `usual` is the JSON of the members that differ from caller to caller as most callers have them, such as
 * `"liked":false`; `of` makes a fragment, `item` is it for one caller.
 */
export const createFragments = <T>(schema: TObject, perCaller: readonly string[], usual: string) => {
  const { properties, ...rest } = schema as unknown as { properties: Record<string, unknown> }
  const kept = Object.fromEntries(Object.entries(properties).filter(([name]) => !perCaller.includes(name)))
  const required = ((rest as { required?: string[] }).required ?? []).filter((name) => !perCaller.includes(name))
  const serializer = whenWanted(() => fastJsonStringify({ ...rest, properties: kept, required } as object))
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
