import type { api, QueryOf } from '@lyceum/contract'
import { pageOf, pagination } from '../../core/pagination.ts'
import { type AuditLogRow, type Db, type Placeholder, selectPage } from '../../db/index.ts'
import type { Handlers } from '../../http/pipeline/route-handlers.ts'
import { pick } from '../../util/pick.ts'
import { type Span, spanIn } from '../settings/index.ts'
import { objectsOf } from './object-labels.ts'
import { listSignInFailures } from './sign-in-failures.ts'

interface AuditRow extends AuditLogRow {
  readonly username: string | null
  readonly display_name: string | null
  readonly avatar: string | null
}

type AuditQuery = QueryOf<typeof api.audit.list>

const where = (query: AuditQuery, { from, before }: Span, p: Placeholder): string => {
  const equal = pick(query, 'actor_id', 'action', 'object_type', 'object_id')
  return [
    // Makes an unfiltered count use the index.
    'a.id > 0',
    ...Object.entries(equal).flatMap(([column, value]) => (value === undefined ? [] : [`a.${column} = ${p(value)}`])),
    ...(from === undefined ? [] : [`a.created_at >= ${p(from)}`]),
    ...(before === undefined ? [] : [`a.created_at < ${p(before)}`]),
  ].join(' and ')
}

/** Newest first. Days are in UTC. */
export const listAudit = (db: Db, query: AuditQuery) => {
  const span = spanIn('UTC', query)
  return selectPage<AuditRow>(
    db,
    {
      columns: 'a.*, u.username, u.display_name, u.avatar',
      tables: 'audit_log a',
      joins: 'left join users u on u.id = a.actor_id',
      where: (p) => where(query, span, p),
      order: 'a.id desc',
    },
    pageOf(query),
  )
}

const viewEntry = ({ username, display_name, avatar, details, ...entry }: AuditRow) => ({
  ...entry,
  actor:
    entry.actor_id === null || username === null
      ? null
      : { id: entry.actor_id, username, display_name: display_name ?? '', avatar: avatar ?? '' },
  details: JSON.parse(details) as Record<string, unknown>,
})

export const auditHandlers: Handlers<typeof api.audit> = {
  list: async ({ db, services }, { query }) => {
    const { rows, total } = await listAudit(db, query)
    const entries = rows.map(viewEntry)
    const objects = await objectsOf(db, entries, services.origin())
    return {
      entries: entries.map((entry, i) => ({ ...entry, objects: objects[i] ?? [] })),
      pagination: pagination(total, query.page, query.per_page),
    }
  },

  signInFailures: ({ db }, { query }) => listSignInFailures(db, query),
}
