import { type Track, UNTRACKED } from '../cache/index.ts'
import type { ReadRequest } from './context.ts'

/**
 * The four steps of a list endpoint. Each step gets the result of the previous one. `track` describes the cache entry of the response, if it
 * has one.
 */
interface Steps<Params, Skeleton, Hydrated, Shown, Answer> {
  /** Finds what the page contains, in order: ids and the total, by queries with the visibility predicate. */
  readonly skeleton: (ctx: ReadRequest, params: Params, track: Track) => Skeleton | Promise<Skeleton>
  /** Loads what the page shows, in batches. */
  readonly hydrate: (ctx: ReadRequest, skeleton: Skeleton, track: Track) => Hydrated | Promise<Hydrated>
  /** Removes what the caller may not see, from items and from fields. */
  readonly filter: (ctx: ReadRequest, hydrated: Hydrated, track: Track) => Shown
  /** Builds the response of the contract. */
  readonly present: (ctx: ReadRequest, shown: Shown, params: Params) => Answer
}

/** A list endpoint: skeleton → hydrate → filter → present. */
export const readPipeline =
  <Params, Skeleton, Hydrated, Shown, Answer>({ skeleton, hydrate, filter, present }: Steps<Params, Skeleton, Hydrated, Shown, Answer>) =>
  async (ctx: ReadRequest, params: Params, track = UNTRACKED): Promise<Answer> =>
    present(ctx, filter(ctx, await hydrate(ctx, await skeleton(ctx, params, track), track), track), params)

/** The same for a list that may respond with what `present` built for another request with an equal skeleton. */
export const sharedReadPipeline =
  <Params, Skeleton, Hydrated, Shown, Built, Answer>(
    { skeleton, hydrate, filter, present }: Steps<Params, Skeleton, Hydrated, Shown, Built>,
    respond: (ctx: ReadRequest, skeleton: Skeleton, build: (track?: Track) => Promise<Built>) => Promise<Answer>,
  ) =>
  async (ctx: ReadRequest, params: Params): Promise<Answer> => {
    const found = await skeleton(ctx, params, UNTRACKED)
    return respond(ctx, found, async (track = UNTRACKED) => present(ctx, filter(ctx, await hydrate(ctx, found, track), track), params))
  }
