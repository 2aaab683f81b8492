import fastJsonStringify from 'fast-json-stringify'
import type { TObject } from 'typebox'

/** JSON of one item that is the same for every caller, but for the members at its end. */
export interface Fragment {
  /** Without the members that differ from caller to caller, and without the closing brace. */
  readonly open: Buffer
  /** With the values that they have for most callers. */
  readonly closed: Buffer
}

/** Parts of an answer that are JSON already, because they were kept: the rest is serialised around them. */
const ITEMS = Symbol('items')
const WHOLE = Symbol('whole')

interface Parts {
  readonly [ITEMS]?: { readonly key: string; readonly items: readonly Buffer[] }
  readonly [WHOLE]?: Buffer
}

/** The answer `result`, whose empty list `key` is to hold these items. */
export const withItems = <R extends object>(result: R, key: string, items: readonly Buffer[]): R =>
  Object.assign(result, { [ITEMS]: { key, items } })

/** An answer that is `{data: …}` with that item as its data. */
export const wholeData = <R>(item: Buffer): R => ({ [WHOLE]: item }) as R

const COMMA = Buffer.from(',')
const DATA = Buffer.from('{"data":')
const END = Buffer.from('}')

/** Serialises by the contract and puts the kept parts in. */
export const assemble = (serialize: (result: unknown) => string, result: unknown): string | Buffer => {
  const { [ITEMS]: list, [WHOLE]: whole } = result as Parts
  if (whole) return Buffer.concat([DATA, whole, END])
  const text = serialize(result)
  if (!list || list.items.length === 0) return text
  const place = text.indexOf(`"${list.key}":[]`)
  if (place < 0) throw new Error(`the answer has no empty list ${list.key}`)
  const from = place + list.key.length + 4
  const parts: Buffer[] = [Buffer.from(text.slice(0, from))]
  for (const [i, item] of list.items.entries()) {
    if (i > 0) parts.push(COMMA)
    parts.push(item)
  }
  parts.push(Buffer.from(text.slice(from)))
  return Buffer.concat(parts)
}

/**
 * Makes fragments of a shape. `usual` is the JSON of the members that differ from caller to caller as most callers have them, such as
 * `"liked":false`; `of` makes a fragment, `item` is it for one caller.
 */
export const createFragments = <T>(schema: TObject, perCaller: readonly string[], usual: string) => {
  const { properties, ...rest } = schema as unknown as { properties: Record<string, unknown> }
  const kept = Object.fromEntries(Object.entries(properties).filter(([name]) => !perCaller.includes(name)))
  const required = ((rest as { required?: string[] }).required ?? []).filter((name) => !perCaller.includes(name))
  const serialize = fastJsonStringify({ ...rest, properties: kept, required } as object)
  return {
    of: (value: T): Fragment => {
      const closed = Buffer.from(`${serialize(value).slice(0, -1)},${usual}}`)
      return { open: closed.subarray(0, closed.length - usual.length - 2), closed }
    },
    item: ({ open, closed }: Fragment, own: string): Buffer => (own === usual ? closed : Buffer.concat([open, Buffer.from(`,${own}}`)])),
  }
}
