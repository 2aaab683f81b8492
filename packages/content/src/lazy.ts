import { createRequire } from 'node:module'

const load = createRequire(import.meta.url)

export const lazy = <V extends object>(make: () => V): (() => V) => {
  let made: V | undefined
  return () => {
    made ??= make()
    return made
  }
}

/** Loads a library on first use, since loading takes long. `M` is the type of its exports. */
export const lazyRequire = <M extends object>(name: string): (() => M) => lazy(() => load(name) as M)
