import type { AuditAction } from '@lyceum/contract'
import type { Actor, RequestInfo, WriteContext } from '../../core/context.ts'
import { batchStatement } from '../../db/index.ts'

const append = batchStatement(
  { object_type: 'text', object_id: 'bigint', details: 'text' },
  (rows) => `insert into audit_log (actor_id, action, object_type, object_id, details, ip_address, request_id, created_at)
    select $2, $3, d.object_type, d.object_id, d.details, $4, $5, $6 from ${rows} d`,
)

type Context = WriteContext & { readonly actor?: Pick<Actor, 'id'> | null; readonly request?: RequestInfo }

interface AuditEntryInput {
  readonly object_type: string
  readonly object_id: number | null
  /** Details of the decision. Never a secret: every administrator can read them. */
  readonly details?: object
}

/**
 * Records decisions of the caller (in a job: of the server) in the same transaction. `action` has the form `noun.verbed`. The log is
 * append-only: no code updates or deletes entries.
 */
export const auditEach = async (ctx: Context, action: AuditAction, entries: readonly AuditEntryInput[]): Promise<void> => {
  const { db, now, actor, request } = ctx
  const rows = entries.map(({ object_type, object_id, details = {} }) => [object_type, object_id, JSON.stringify(details)])
  await append(db, rows, [actor?.id ?? null, action, request?.ip ?? '', request?.id ?? '', now])
}

/** Records a decision. */
export const audit = (ctx: Context, action: AuditAction, entry: AuditEntryInput): Promise<void> => auditEach(ctx, action, [entry])
