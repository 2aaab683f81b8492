import type { Dispatcher } from 'undici'
import { lazyRequire } from '../util/lazy.ts'
import { type ConnectorOptions, createConnector } from './ssrf-guard.ts'

const undici = lazyRequire<typeof import('undici')>('undici')

/** Restricts `fetch` to allowed addresses while the work runs, for code that does not accept a client. */
export const withGuardedFetch = async <T>(options: ConnectorOptions, work: () => Promise<T>): Promise<T> => {
  const before: Dispatcher = undici().getGlobalDispatcher()
  const guarded = new (undici().Agent)({ connect: createConnector(options), connections: 8 })
  undici().setGlobalDispatcher(guarded)
  try {
    return await work()
  } finally {
    undici().setGlobalDispatcher(before)
    await guarded.close()
  }
}
