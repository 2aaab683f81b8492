import type { api } from '@lyceum/contract'
import { invalidParameter } from '../../core/errors.ts'
import { pageOf, pagination } from '../../core/pagination.ts'
import type { Handlers } from '../../http/pipeline/route-handlers.ts'
import { dayBounds } from '../../util/time-zones.ts'
import { objectsOf } from './object-labels.ts'
import { type AuditFilter, type AuditRow, listAudit } from './queries.ts'
import { listSignInFailures } from './sign-in-failures.ts'

const boundsOf = (field: string, day: string | undefined) => {
  if (day === undefined) return undefined
  const bounds = dayBounds(day, 'UTC')
  if (!bounds) throw invalidParameter(field, 'must be a valid date')
  return bounds
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
    const { actor_id, action, object_type, object_id, date_from, date_to, page, per_page } = query
    const filter: AuditFilter = {
      actorId: actor_id,
      action,
      objectType: object_type,
      objectId: object_id,
      from: boundsOf('date_from', date_from)?.start,
      before: boundsOf('date_to', date_to)?.end,
    }
    const { rows, total } = await listAudit(db, filter, pageOf(query))
    const entries = rows.map(viewEntry)
    const objects = await objectsOf(db, entries, services.origin())
    return { entries: entries.map((entry, i) => ({ ...entry, objects: objects[i] ?? [] })), pagination: pagination(total, page, per_page) }
  },

  signInFailures: ({ db }, { query }) => listSignInFailures(db, query),
}
