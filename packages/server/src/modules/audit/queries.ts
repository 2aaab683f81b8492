import { type Db, parameters, runText } from '../../db/index.ts'

export interface AuditRow {
  readonly id: number
  readonly actor_id: number | null
  readonly username: string | null
  readonly display_name: string | null
  readonly avatar: string | null
  readonly action: string
  readonly object_type: string
  readonly object_id: number | null
  readonly details: string
  readonly ip_address: string
  readonly request_id: string
  readonly created_at: string
}

export interface AuditFilter {
  readonly actorId?: number | undefined
  readonly action?: string | undefined
  readonly objectType?: string | undefined
  readonly objectId?: number | undefined
  /** `from` is inclusive, `before` exclusive. */
  readonly from?: string | undefined
  readonly before?: string | undefined
}

const where = (filter: AuditFilter, p: (value: string | number) => string): string => {
  const { actorId, action, objectType, objectId, from, before } = filter
  return [
    // Makes an unfiltered count use the index.
    'a.id > 0',
    actorId !== undefined && `a.actor_id = ${p(actorId)}`,
    action !== undefined && `a.action = ${p(action)}`,
    objectType !== undefined && `a.object_type = ${p(objectType)}`,
    objectId !== undefined && `a.object_id = ${p(objectId)}`,
    from !== undefined && `a.created_at >= ${p(from)}`,
    before !== undefined && `a.created_at < ${p(before)}`,
  ]
    .filter((part) => part !== false)
    .join(' and ')
}

/** Newest first. */
export const listAudit = (db: Db, filter: AuditFilter, { limit, offset }: { limit: number; offset: number }): Promise<AuditRow[]> => {
  const { values, p } = parameters()
  const text = `select a.id, a.actor_id, u.username, u.display_name, u.avatar, a.action, a.object_type, a.object_id, a.details, a.ip_address,
    a.request_id, a.created_at from audit_log a left join users u on u.id = a.actor_id
    where ${where(filter, p)} order by a.id desc limit ${p(limit)} offset ${p(offset)}`
  return runText<AuditRow>(db, text, values)
}

export const countAudit = async (db: Db, filter: AuditFilter): Promise<number> => {
  const { values, p } = parameters()
  const [row] = await runText<{ n: number }>(db, `select count(*) as n from audit_log a where ${where(filter, p)}`, values)
  return row?.n ?? 0
}
