import { api } from '@lyceum/contract'
import { tooMany } from '../../platform/auth/tries.ts'
import type { AskedRead } from '../../platform/context.ts'
import type { Module } from '../../platform/module.ts'

export { streamSource } from './source.ts'

/** Looking up what somebody missed is work; a client that loses its connection comes back less often. */
const RESUMED_A_MINUTE = 60

const checkPace = async ({ actor, services: { config, limiter } }: AskedRead) => {
  if (config.rateLimit === 'off' || actor.role === 'admin') return
  const { allowed, retryAfter } = await limiter.hit(`resume:${actor.id}`, RESUMED_A_MINUTE, 60)
  if (!allowed) throw tooMany(retryAfter)
}

export const stream: Module = {
  name: 'stream',
  mount: (mount) =>
    mount('stream', api.stream, {
      listen: async (ctx, { query }) => {
        const { actor, listening } = ctx
        const { realtime } = ctx.services
        realtime.admit()
        const opening = {
          userId: actor.id,
          credential: listening.credential,
          lastEventId: listening.lastEventId ?? query.last_event_id ?? null,
        }
        if (opening.lastEventId !== null) await checkPace(ctx)
        return (sink) => realtime.open(opening, sink)
      },
    }),
}
