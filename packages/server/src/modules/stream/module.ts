import { api } from '@lyceum/contract'
import type { ReadRequest } from '../../core/context.ts'
import { tooMany } from '../../core/errors.ts'
import type { Module } from '../../core/module.ts'
import { MINUTE_S } from '../../limits/budgets.ts'
import { networkOf } from '../../limits/ip-prefix.ts'

/** Looking up what somebody missed is work; a client that loses its connection comes back less often. */
const RESUMED_A_MINUTE = 60
/** Streams of one member where no limit is set. */
const USUAL_STREAMS = 10
/** When to try again where an address has as many streams as it may, in seconds. */
const RETRY_S = 30

const checkPace = ({ actor, services: { budgets } }: ReadRequest) =>
  actor.role === 'admin' ? undefined : budgets.spend([{ kind: 'resume', key: actor.id, limit: RESUMED_A_MINUTE, windowS: MINUTE_S }])

/** Most streams of this member. @throws rate_limit_exceeded when the address has as many as it may */
const checkStreams = async ({ actor, services }: ReadRequest, address: string): Promise<number> => {
  const { budgets, caches, realtime } = services
  if (!budgets.on) return USUAL_STREAMS
  const { streams_per_member, streams_per_address: most } = await budgets.read(caches.now())
  if (actor.role === 'member' && most > 0 && realtime.streamsOf(address) >= most) {
    budgets.refused('streams_address')
    throw tooMany(RETRY_S)
  }
  return streams_per_member || Number.POSITIVE_INFINITY
}

export const stream: Module = {
  name: 'stream',
  mount: (mount) =>
    mount('stream', api.stream, {
      listen: async (ctx, { query }) => {
        const { actor, listening } = ctx
        const { realtime } = ctx.services
        realtime.admit()
        const address = networkOf(ctx.request.ip)
        const opening = {
          userId: actor.id,
          address,
          mostOfMember: await checkStreams(ctx, address),
          credential: listening.credential,
          lastEventId: listening.lastEventId ?? query.last_event_id ?? null,
        }
        if (opening.lastEventId !== null) await checkPace(ctx)
        return (sink) => realtime.open(opening, sink)
      },
    }),
}
