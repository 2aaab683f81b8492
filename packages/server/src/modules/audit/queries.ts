import type { Selectable } from 'kysely'
import { type AuditLogRow, type Db, type PageWindow, type Placeholder, selectPage } from '../../db/index.ts'

export interface AuditRow extends Selectable<AuditLogRow> {
  readonly username: string | null
  readonly display_name: string | null
  readonly avatar: string | null
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
      columns: 'a.*, u.username, u.display_name, u.avatar',
      tables: 'audit_log a',
      joins: 'left join users u on u.id = a.actor_id',
      where: (p) => where(filter, p),
      order: 'a.id desc',
    },
    page,
  )
