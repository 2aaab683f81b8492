import type { Db } from '../../db/index.ts'
import { readState } from './rollup-state.ts'

const TRIES = 3

/** Handlers that answer anew where a rebuild ended meanwhile: the rows that they began to read are removed then. */
export const ofOneGeneration = <H extends object>(handlers: H): H => {
  const steady =
    (handle: (ctx: { readonly db: Db }, input: unknown) => Promise<unknown>) => async (ctx: { readonly db: Db }, input: unknown) => {
      let before = await readState(ctx.db)
      for (let left = TRIES; ; left--) {
        const answer = await handle(ctx, input)
        const after = await readState(ctx.db)
        if (after.generation === before.generation || left === 0) return answer
        before = after
      }
    }
  return Object.fromEntries(Object.entries(handlers).map(([name, handle]) => [name, steady(handle)])) as H
}
