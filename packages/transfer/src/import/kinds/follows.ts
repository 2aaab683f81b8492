import { batchStatement, type Value } from '../../../../server/src/db/index.ts'
import type { Decision, KindWriter } from '../import-kind.ts'
import type { Run } from '../run.ts'
import type { Slice } from '../slice.ts'
import { withoutDuplicates } from './pairs.ts'
import { notAfter } from './values.ts'
import { setColumns } from './write-columns.ts'

interface FollowDecision extends Decision<'follows'> {
  readonly id: number
  readonly guarded: readonly Value[]
  readonly follower: number
  readonly following: number
}

const COLUMNS = ['status']

const present = batchStatement<{ follower_id: number; following_id: number }>(
  { follower_id: 'bigint', following_id: 'bigint' },
  (rows) => `select f.follower_id, f.following_id from ${rows} d cross join followers f
    where f.follower_id = d.follower_id and f.following_id = d.following_id`,
)
const statuses = batchStatement<{ id: number; status: string }>(
  { id: 'bigint' },
  (rows) => `select f.id, f.status from ${rows} d cross join followers f where f.id = d.id`,
)

const count = ({ counters }: Slice, { follower, following }: FollowDecision, by: 1 | -1) => {
  counters.add('users.followers_count', following, by)
  counters.add('users.followings_count', follower, by)
}

const announce = (run: Run, { activities }: Slice, { follower, following, item }: FollowDecision) =>
  activities.push({
    user: follower,
    action: 'follow_user',
    on: ['user', following],
    space: null,
    at: notAfter(run.now, item.record.created_at),
  })

export const follows: KindWriter<'follows', FollowDecision> = {
  kind: 'follows',
  guarded: { table: 'followers', columns: COLUMNS },
  decide: async (run, items, settle) => {
    const people = await run.find(
      'people',
      items.flatMap(({ record }) => [record.follower, record.following]),
    )
    const all = items.flatMap((item) => {
      const follower = people.get(item.record.follower)
      const following = people.get(item.record.following)
      if (!follower || !following || follower.status === 'deleted' || following.status === 'deleted')
        settle(item, 'skipped', 'one of the two members was not imported')
      else if (follower.id === following.id) settle(item, 'skipped', 'the member follows themselves')
      else return [{ item, follower: follower.id, following: following.id, key: `${follower.id} ${following.id}` }]
      return []
    })
    const rows = await present(
      run.services.database.read,
      all.map(({ follower, following }) => [follower, following]),
    )
    const known = new Set(rows.map(({ follower_id, following_id }) => `${follower_id} ${following_id}`))
    const kept = await withoutDuplicates(run, 'follows', all, known, settle)
    const ids = await run.ids.take('followers', kept.length)
    return kept.map((one, i) => ({ ...one, id: one.item.known?.local_id ?? (ids[i] as number), guarded: [one.item.record.status] }))
  },
  insert: async (run, slice, decided) => {
    await slice.add(
      'followers',
      ['id', 'follower_id', 'following_id', ...COLUMNS, 'created_at', 'updated_at'],
      decided.map(({ id, follower, following, guarded, item: { record } }) => {
        const at = notAfter(run.now, record.created_at)
        return [id, follower, following, ...guarded, at, notAfter(run.now, record.updated_at ?? at)]
      }),
    )
    for (const one of decided) {
      if (one.item.record.status !== 'active') continue
      count(slice, one, 1)
      announce(run, slice, one)
    }
  },
  update: async (run, slice, decided) => {
    const rows = await statuses(
      slice.db,
      decided.map(({ id }) => id),
    )
    const before = new Map(rows.map(({ id, status }) => [id, status]))
    for (const one of decided) {
      const [was, is] = [before.get(one.id) === 'active', one.item.record.status === 'active']
      await setColumns(slice.db, 'followers', COLUMNS, one.id, one.guarded)
      if (was !== is) count(slice, one, is ? 1 : -1)
      if (is && !was) announce(run, slice, one)
    }
  },
}
