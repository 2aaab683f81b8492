import type { Dispatcher } from 'undici'
import { lazyRequire } from '../util/lazy.ts'
import { type ConnectorOptions, createConnector } from './ssrf-guard.ts'

const undici = lazyRequire<typeof import('undici')>('undici')

/** Runs work in a process whose `fetch` reaches only allowed addresses meanwhile, for code that does not take a client. */
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
