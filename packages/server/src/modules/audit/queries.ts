import { type Db, type PageWindow, type Placeholder, selectPage } from '../../db/index.ts'

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

const where = (filter: AuditFilter, p: Placeholder): string => {
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
export const listAudit = (db: Db, filter: AuditFilter, page: PageWindow) =>
  selectPage<AuditRow>(
    db,
    {
      columns: `a.id, a.actor_id, u.username, u.display_name, u.avatar, a.action, a.object_type, a.object_id, a.details, a.ip_address,
        a.request_id, a.created_at`,
      tables: 'audit_log a',
      joins: 'left join users u on u.id = a.actor_id',
      where: (p) => where(filter, p),
      order: 'a.id desc',
    },
    page,
  )
