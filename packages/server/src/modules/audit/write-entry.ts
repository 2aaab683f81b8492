import type { AuditAction } from '@lyceum/contract'
import type { Actor, RequestInfo, WriteContext } from '../../core/context.ts'
import { statement } from '../../db/index.ts'

const append = statement(
  `insert into audit_log (actor_id, action, object_type, object_id, details, ip_address, request_id, created_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8)`,
)

type Context = WriteContext & { readonly actor?: Pick<Actor, 'id'> | null; readonly request?: RequestInfo }

export interface Audited {
  readonly object_type: string
  readonly object_id: number | null
  /** What was decided, as plain data. Never a secret: whoever administers later reads it. */
  readonly details?: object
}

/**
 * Records a decision of whoever asks (in a job: of the server) in the same transaction. `action` is `noun.verbed`. There is no code that
 * changes or removes what was recorded.
 */
export const audit = async (ctx: Context, action: AuditAction, { object_type, object_id, details = {} }: Audited): Promise<void> => {
  const { db, now, actor, request } = ctx
  await append(db, [actor?.id ?? null, action, object_type, object_id, JSON.stringify(details), request?.ip ?? '', request?.id ?? '', now])
}
