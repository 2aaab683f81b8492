import type { api, Infer, Manager, Permission } from '@lyceum/contract'
import { ApiError } from '../../../core/errors.ts'
import { pageOf, pagination } from '../../../core/pagination.ts'
import type { Db } from '../../../db/index.ts'
import type { Handlers } from '../../../http/pipeline/route-handlers.ts'
import { pick } from '../../../util/pick.ts'
import { viewXprofile } from '../view.ts'
import { changeManager, listRecords, type ManagerRecord, recordOf, removeManager, saveManager, spacesOf } from './commands.ts'

/** `spaces`: the spaces that the record is limited to, if any. */
const viewManager = (row: ManagerRecord, spaces: readonly number[] = []): Infer<typeof Manager> => ({
  ...pick(row, 'id', 'user_id', 'role', 'status', 'created_at', 'updated_at'),
  assigned_by: row.assigned_by ?? 0,
  permissions: JSON.parse(row.permissions) as Permission[],
  spaces: row.all_spaces ? null : [...spaces],
})

const present = async (db: Db, userId: number) => {
  const [record, spaces] = await Promise.all([recordOf(db, [userId]), spacesOf(db, [userId])])
  if (!record) throw new ApiError('user_not_found')
  return viewManager(record, spaces.get(userId))
}

export const managerHandlers: Handlers<typeof api.managers> = {
  list: async ({ db }, { query }) => {
    const { rows, total } = await listRecords(db, { ...query, search: query.search?.trim() }, pageOf(query))
    const spaces = await spacesOf(
      db,
      rows.map((row) => row.user_id),
    )
    const managers = rows.map((row) => ({ ...viewManager(row, spaces.get(row.user_id)), xprofile: viewXprofile(row) }))
    return { managers, pagination: pagination(total, query.page, query.per_page) }
  },

  save: async (ctx, { body }) => {
    const made = await saveManager(ctx, body.user_id, body)
    if (!made) ctx.setNotCreated()
    return { ...(await present(ctx.db, body.user_id)), message: made ? 'The manager was created.' : 'The manager was updated.' }
  },

  update: async (ctx, { params, body }) => {
    await changeManager(ctx, params.user_id, body)
    return { ...(await present(ctx.db, params.user_id)), message: 'The manager was updated.' }
  },

  remove: async (ctx, { params }) => {
    await removeManager(ctx, params.user_id)
    return { message: 'The manager was removed.' }
  },
}
