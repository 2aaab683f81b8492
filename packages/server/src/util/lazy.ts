import { createRequire } from 'node:module'

const load = createRequire(import.meta.url)

/** Gives the same each time, and holds whether it has been made. */
export interface WhenWanted<V> {
  (): V
  readonly made: boolean
}

/** What `make` gives, made when it is first wanted. */
export const lazy = <V>(make: () => V): WhenWanted<V> => {
  let known: { readonly value: V } | undefined
  const get = () => {
    known ??= { value: make() }
    return known.value
  }
  return Object.defineProperty(get, 'made', { get: () => known !== undefined }) as typeof get & { made: boolean }
}

/** What `make` gives for an object, made when it is first asked for: what is declared once is compiled once, by however many servers. */
export const memoize = <K extends object, V>(make: (key: K) => V): ((key: K) => V) => {
  const known = new WeakMap<K, { readonly value: V }>()
  return (key) => {
    const found = known.get(key) ?? { value: make(key) }
    known.set(key, found)
    return found.value
  }
}

/**
 * A library that is loaded when it is first wanted: together those that a start has no use for take longer to load than all the rest of it.
 * `M` is what the package exports.
 */
export const library = <M>(name: string): WhenWanted<M> => lazy(() => load(name) as M)
