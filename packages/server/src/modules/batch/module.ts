import { api } from '@lyceum/contract'
import type { Module } from '../../core/module.ts'
import type { Handlers } from '../../http/pipeline/route-handlers.ts'

const handlers: Handlers<typeof api.batch> = {
  run: async ({ call }, { body }) => ({ responses: await call(body.requests) }),
}

export const batch: Module = { name: 'batch', mount: (mount) => mount('batch', api.batch, handlers) }
