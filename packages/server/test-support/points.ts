import type { Member, World } from './world.ts'

/** A member's points from the ledger and from the stored totals, which must agree. */
export const pointsOf = async (world: World, { id }: Pick<Member, 'id'>): Promise<number> => {
  const { read } = world.app.services.database
  const { total_points } = await read.selectFrom('users').select('total_points').where('id', '=', id).executeTakeFirstOrThrow()
  const rows = await read.selectFrom('points_ledger').select('points').where('user_id', '=', id).execute()
  const sum = rows.reduce((total, { points }) => total + points, 0)
  if (sum !== total_points) throw new Error(`${total_points} points are kept, the ledger gives ${sum}`)
  return total_points
}

/** Points earned by a step, after all its jobs. */
export const earnedBy = async (world: World, who: Pick<Member, 'id'>, step: () => Promise<unknown>): Promise<number> => {
  await world.runPendingJobs()
  const before = await pointsOf(world, who)
  await step()
  await world.runPendingJobs()
  return (await pointsOf(world, who)) - before
}
