import type { AuditAction } from '@lyceum/contract'
import type { Actor, RequestInfo, WriteContext } from '../../core/context.ts'
import { statement } from '../../db/index.ts'

const append = statement(
  `insert into audit_log (actor_id, action, object_type, object_id, details, ip_address, request_id, created_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8)`,
)

type Context = WriteContext & { readonly actor?: Pick<Actor, 'id'> | null; readonly request?: RequestInfo }

interface AuditEntryInput {
  readonly object_type: string
  readonly object_id: number | null
  /** Details of the decision. Never a secret: every administrator can read them. */
  readonly details?: object
}

/**
 * Records a decision of the caller (in a job: of the server) in the same transaction. `action` has the form `noun.verbed`. The log is
 * append-only: no code updates or deletes entries.
 */
export const audit = async (ctx: Context, action: AuditAction, { object_type, object_id, details = {} }: AuditEntryInput) => {
  const { db, now, actor, request } = ctx
  await append(db, [actor?.id ?? null, action, object_type, object_id, JSON.stringify(details), request?.ip ?? '', request?.id ?? '', now])
}
