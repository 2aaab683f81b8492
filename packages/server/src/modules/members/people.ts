import type { ActiveXprofile, Infer } from '@lyceum/contract'
import type { ReadRequest } from '../../core/context.ts'
import { statementIn } from '../../db/index.ts'
import { seesActivity } from './profile-access.ts'
import { ACTIVE_PERSON_COLUMNS, type ActivePersonColumns, viewActiveXprofile } from './view.ts'

const people = statementIn<ActivePersonColumns & { user_id: number }>(
  (list) => `select u.id as user_id, ${ACTIVE_PERSON_COLUMNS} from users u where u.id in (${list})`,
)

/** Summaries of users by id, with the last activity if the caller may see it. */
export const findPeople = async (
  ctx: Pick<ReadRequest, 'db' | 'actor'>,
  ids: readonly number[],
): Promise<ReadonlyMap<number, Infer<typeof ActiveXprofile>>> => {
  const rows = await people(ctx.db, ids)
  const shown = await seesActivity(ctx)
  return new Map(
    rows.map((row) => [
      row.user_id,
      viewActiveXprofile({ ...row, u_last_activity: shown || row.user_id === ctx.actor.id ? row.u_last_activity : null }),
    ]),
  )
}
