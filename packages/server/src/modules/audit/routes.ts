import type { api } from '@lyceum/contract'
import { pagination } from '../../core/pagination.ts'
import type { Handlers } from '../../http/pipeline/route-handlers.ts'
import { objectsOf } from './object-labels.ts'
import { type AuditRow, listAudit } from './queries.ts'
import { listSignInFailures } from './sign-in-failures.ts'

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
