import { api } from '@lyceum/contract'
import type { Module } from '../../core/module.ts'
import { statement, type Tables } from '../../db/index.ts'
import type { Handlers } from '../../http/pipeline/route-handlers.ts'

type Row = Pick<Tables['backups'], 'name' | 'kind' | 'status' | 'size' | 'created_at' | 'encrypted' | 'proven_at' | 'error'>
const newest = statement<Row>(
  'select name, kind, status, size, created_at, encrypted, proven_at, error from backups order by created_at desc, id desc limit 200',
)

const handlers: Handlers<typeof api.backups> = {
  list: async ({ db, services: { config } }) => ({
    is_scheduled: Boolean(config.backupDir || config.backupS3Url),
    backups: (await newest(db, [])).map((row) => ({ ...row, encrypted: row.encrypted === 1 })),
  }),
}

export const backups: Module = { name: 'backups', mount: (mount) => mount('backups', api.backups, handlers) }
