import { api } from '@lyceum/contract'
import type { ReadRequest } from '../../core/context.ts'
import { tooMany } from '../../core/errors.ts'
import type { Module } from '../../core/module.ts'
import { MINUTE_S } from '../../limits/budgets.ts'
import { networkOf } from '../../limits/ip-prefix.ts'

/** Finding missed events is expensive; a client that loses its connection reconnects less often than this. */
const RESUMES_PER_MINUTE = 60
/** Streams per member if no limit is configured. */
const DEFAULT_STREAMS = 10
/** `Retry-After` in seconds when an address has too many streams. */
const RETRY_S = 30

const checkResumeRate = ({ actor, services: { budgets } }: ReadRequest) =>
  actor.role === 'admin' ? undefined : budgets.spend([{ kind: 'resume', key: actor.id, limit: RESUMES_PER_MINUTE, windowS: MINUTE_S }])

/** The maximum number of streams for this member. @throws rate_limit_exceeded if the address has reached its limit */
const maxStreamsOf = async ({ actor, services, snapshot }: ReadRequest, address: string): Promise<number> => {
  const { budgets, realtime } = services
  if (!budgets.on) return DEFAULT_STREAMS
  const { streams_per_member, streams_per_address: maxPerAddress } = await budgets.read(snapshot)
  if (actor.role === 'member' && maxPerAddress > 0 && realtime.streamsOf(address) >= maxPerAddress) {
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
          maxPerMember: await maxStreamsOf(ctx, address),
          credential: listening.credential,
          lastEventId: listening.lastEventId ?? query.last_event_id ?? null,
        }
        if (opening.lastEventId !== null) await checkResumeRate(ctx)
        return (sink) => realtime.open(opening, sink)
      },
    }),
}
