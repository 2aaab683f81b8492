import type { Db } from '../../db/index.ts'
import { readState } from './rollup-state.ts'

const MAX_RETRIES = 3

/** Wraps handlers so that they run again if a rebuild ended meanwhile, because it deletes the rows of the previous generation. */
export const withConsistentGeneration = <H extends object>(handlers: H): H => {
  const withRetry =
    (handle: (ctx: { readonly db: Db }, input: unknown) => Promise<unknown>) => async (ctx: { readonly db: Db }, input: unknown) => {
      let before = await readState(ctx.db)
      for (let left = MAX_RETRIES; ; left--) {
        const answer = await handle(ctx, input)
        const after = await readState(ctx.db)
        if (after.generation === before.generation || left === 0) return answer
        before = after
      }
    }
  return Object.fromEntries(Object.entries(handlers).map(([name, handle]) => [name, withRetry(handle)])) as H
}
