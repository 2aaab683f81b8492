import fastJsonStringify from 'fast-json-stringify'
import type { TObject } from 'typebox'

/** Parts of an answer that are JSON already, because they were kept: the rest is serialised around them. */
const ITEMS = Symbol('items')
const WHOLE = Symbol('whole')

interface Parts {
  readonly [ITEMS]?: { readonly key: string; readonly texts: readonly string[] }
  readonly [WHOLE]?: string
}

/** The answer `result`, whose empty list `key` is to hold these items. */
export const withItems = <R extends object>(result: R, key: string, texts: readonly string[]): R =>
  Object.assign(result, { [ITEMS]: { key, texts } })

/** An answer that is `{data: …}` with that text as its data. */
export const wholeData = <R>(text: string): R => ({ [WHOLE]: `{"data":${text}}` }) as R

/** Serialises by the contract and puts the kept parts in. */
export const assemble = (serialize: (result: unknown) => string, result: unknown): string => {
  const { [ITEMS]: items, [WHOLE]: whole } = result as Parts
  if (whole !== undefined) return whole
  const text = serialize(result)
  if (!items || items.texts.length === 0) return text
  const place = text.indexOf(`"${items.key}":[]`)
  if (place < 0) throw new Error(`the answer has no empty list ${items.key}`)
  const from = place + items.key.length + 4
  return `${text.slice(0, from)}${items.texts.join(',')}${text.slice(from)}`
}

/**
 * A serialiser of one item without the members that differ from caller to caller, left open at its end:
 * `open(item) + ',"liked":true}'`.
 */
export const openSerializer = <T>(schema: TObject, perCaller: readonly string[]): ((item: T) => string) => {
  const { properties, ...rest } = schema as unknown as { properties: Record<string, unknown> }
  const kept = Object.fromEntries(Object.entries(properties).filter(([name]) => !perCaller.includes(name)))
  const required = ((rest as { required?: string[] }).required ?? []).filter((name) => !perCaller.includes(name))
  const serialize = fastJsonStringify({ ...rest, properties: kept, required } as object)
  return (item) => serialize(item).slice(0, -1)
}
