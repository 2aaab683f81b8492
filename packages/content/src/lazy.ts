import { createRequire } from 'node:module'

const load = createRequire(import.meta.url)

export interface Lazy<V> {
  (): V
  readonly isLoaded: boolean
}

export const lazy = <V>(make: () => V): Lazy<V> => {
  let known: { readonly value: V } | undefined
  const get = () => {
    known ??= { value: make() }
    return known.value
  }
  return Object.defineProperty(get, 'isLoaded', { get: () => known !== undefined }) as typeof get & { isLoaded: boolean }
}

/** Caches the result of `make` per object. Definitions are compiled once, even for several servers in a process. */
export const memoize = <K extends object, V>(make: (key: K) => V): ((key: K) => V) => {
  const known = new WeakMap<K, { readonly value: V }>()
  return (key) => {
    const found = known.get(key)
    if (found) return found.value
    const value = make(key)
    known.set(key, { value })
    return value
  }
}

/** Caches the results of `make` for up to `most` texts; with more, it begins again. */
export const remember = <V>(make: (text: string) => V, most = 500): ((text: string) => V) => {
  const known = new Map<string, { readonly value: V }>()
  return (text) => {
    const found = known.get(text)
    if (found) return found.value
    if (known.size >= most) known.clear()
    const value = make(text)
    known.set(text, { value })
    return value
  }
}

/** Loads a library on first use, since loading takes long. `M` is the type of its exports. */
export const lazyRequire = <M>(name: string): Lazy<M> => lazy(() => load(name) as M)
