import { api } from '@lyceum/contract'
import type { Module } from '../../platform/module.ts'

export { streamSource } from './source.ts'

export const stream: Module = {
  name: 'stream',
  mount: (mount) =>
    mount('stream', api.stream, {
      listen: async ({ actor, services: { realtime }, listening }, { query }) => {
        realtime.admit()
        const opening = {
          userId: actor.id,
          credential: listening.credential,
          lastEventId: listening.lastEventId ?? query.last_event_id ?? null,
        }
        return (sink) => realtime.open(opening, sink)
      },
    }),
}
