import { createRequire } from 'node:module'
import { type Lazy, lazy } from '@lyceum/content/lazy'

const load = createRequire(import.meta.url)

/** Loads a library on first use, in the version that this package depends on. `M` is the type of its exports. */
export const lazyRequire = <M>(name: string): Lazy<M> => lazy(() => load(name) as M)
