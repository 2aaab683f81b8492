import { route } from '../route.ts'
import { Datetime, named, nullable, oneOf } from '../shapes/common.ts'
import { Type } from '../typebox.ts'

const Backup = named('Backup', {
  name: Type.String({ description: 'Name of the file or object.', examples: ['lyceum-3fa9c1d2-20261128T030000Z.backup'] }),
  kind: oneOf(['scheduled', 'before-upgrade'], { description: 'Why it was made.' }),
  status: oneOf(['running', 'complete', 'failed'], { description: 'Whether it can be restored: only a complete one.' }),
  size: Type.Integer({ minimum: 0, description: 'Size in bytes; 0 until it is complete.' }),
  created_at: Datetime,
  encrypted: Type.Boolean({ description: 'Whether a passphrase or a secret key is needed to restore it.' }),
  proven_at: nullable(
    Type.Unsafe<string>({ ...Datetime, description: 'When it was restored and checked successfully; null if it was not. UTC.' }),
  ),
  error: nullable(Type.String({ description: 'Why the backup or its proof failed.' })),
})

export const backups = {
  list: route({
    method: 'GET',
    path: '/admin/backups',
    access: 'admin',
    summary: 'List backups',
    description: 'Scheduled backups and those before migrations, newest first, with recent failures.',
    response: Type.Object({
      is_scheduled: Type.Boolean({ description: 'Whether scheduled backups are configured.' }),
      backups: Type.Array(Backup, { description: 'At most 200 backups.' }),
    }),
  }),
} as const
