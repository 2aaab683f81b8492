import type { Infer, Manager, Permission } from '@lyceum/contract'
import type { ManagerRecord } from './queries.ts'

/** `spaces`: the spaces that the record is limited to, if any. */
export const viewManager = (row: ManagerRecord, spaces: readonly number[] = []): Infer<typeof Manager> => ({
  id: row.id,
  user_id: row.user_id,
  role: row.role,
  permissions: JSON.parse(row.permissions) as Permission[],
  spaces: row.all_spaces ? null : [...spaces],
  status: row.status,
  assigned_by: row.assigned_by,
  created_at: row.created_at,
  updated_at: row.updated_at,
})
