import type { Random } from '#test/random.ts'
import type { Community } from '../fuzz/community.ts'
import { type Described, describeApi, type Operation } from '../fuzz/document.ts'
import { inTurn } from '../fuzz/in-turn.ts'
import { createMaker, type FuzzRequest } from '../fuzz/requests.ts'
import type { FuzzAnswer } from '../fuzz/send.ts'
import { createGenerator } from '../fuzz/values.ts'
import { createFinder } from '../fuzz/verdict.ts'

/** Generated requests to a community, and what their responses were about. */
export interface GeneratedRequests {
  readonly described: Described
  /** The path before that of each operation. */
  readonly root: string
  /** A source of requests to the operations of that kind, each once before any is repeated. */
  source(isWanted?: (operation: Operation) => boolean): () => FuzzRequest
  /** The operation that responded, according to the log, and the method it was called with. */
  served(answer: FuzzAnswer): Promise<{ readonly operation: Operation | undefined; readonly method: string | undefined }>
}

interface Options {
  /** Restricts the requests to these operations. */
  readonly only?: ((operation: string) => boolean) | undefined
  /** Changes the API description, for controls. */
  readonly change?: Parameters<typeof describeApi>[1] | undefined
}

export const generateRequests = (community: Community, random: Random, { only = () => true, change }: Options = {}): GeneratedRequests => {
  const root = new URL(community.base).pathname
  const described = describeApi(root, change)
  const findOperation = createFinder(described.operations, root)
  const maker = createMaker(random, community.pools, createGenerator(random, community.pools, described.resolve))
  const chosen = described.operations.filter(({ id }) => only(id))
  return {
    described,
    root,
    source: (isWanted = () => true) => {
      const next = inTurn(chosen.filter(isWanted), random)
      return () => maker.make(next())
    },
    served: async ({ headers }) => {
      const id = headers['x-request-id']
      const logged = typeof id === 'string' ? await community.logged(id) : undefined
      return { operation: logged && findOperation(logged), method: logged?.method }
    },
  }
}
