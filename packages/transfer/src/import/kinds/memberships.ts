import type { ArchiveRecord } from '@lyceum/contract/archive'
import { batchStatement, type SpaceMemberRow, updateRows, type Value } from '../../../../server/src/db/index.ts'
import type { Item } from '../batches.ts'
import type { Decision, KindWriter, Settle } from '../import-kind.ts'
import type { Run } from '../run.ts'
import type { Slice } from '../slice.ts'
import { notAfter } from './values.ts'

type Membership = ArchiveRecord<'memberships'>

interface MembershipDecision extends Decision<'memberships'> {
  readonly id: number
  readonly guarded: readonly Value[]
  readonly space: number
  readonly user: number
  readonly isCreator: boolean
  /** The row exists; its role and status are updated. */
  readonly exists: boolean
}

const COLUMNS = ['role', 'status']
const ROLES = ['member', 'moderator', 'admin']

/** Rank of a membership. Of several for a person and a space, the highest is used. */
const strengthOf = ({ role, status }: Pick<Membership, 'role' | 'status'>): number =>
  status === 'banned' ? 10 : status === 'pending' ? 0 : 1 + ROLES.indexOf(role)

type Present = Pick<SpaceMemberRow, 'id' | 'space_id' | 'user_id' | 'role' | 'status' | 'joined_at' | 'updated_at'>

const presentOf = batchStatement<Present>(
  { space_id: 'bigint', user_id: 'bigint' },
  (rows) => `select m.id, m.space_id, m.user_id, m.role, m.status, m.joined_at, m.updated_at from ${rows} d cross join space_members m
    where m.space_id = d.space_id and m.user_id = d.user_id`,
)
const statusesOf = batchStatement<{ id: number; status: string }>(
  { id: 'bigint' },
  (rows) => `select m.id, m.status from ${rows} d cross join space_members m where m.id = d.id`,
)

const findPlaces = async (run: Run, items: readonly Item<'memberships'>[], settle: Settle<'memberships'>) => {
  const spaces = await run.find(
    'spaces',
    items.map(({ record }) => record.space),
  )
  const people = await run.find(
    'people',
    items.map(({ record }) => record.person),
  )
  return items.flatMap((item) => {
    const space = spaces.get(item.record.space)
    const person = people.get(item.record.person)
    if (!space) settle(item, 'skipped', run.report.isLeftOut(item.record.space) ? 'its space was excluded' : 'its space was not imported')
    else if (!person || person.status === 'deleted') settle(item, 'skipped', 'its member was not imported')
    else return [{ item, space: space.id, user: person.id, isCreator: space.created_by === person.id }]
    return []
  })
}

/** Records the activity and points of joining, which a space's creator does not get. */
const announce = ({ now }: Run, { activities, earned }: Slice, { space, user, isCreator, item }: MembershipDecision) => {
  if (isCreator) return
  const at = notAfter(now, item.record.joined_at)
  activities.push({ user, action: 'space_joined', on: ['space', space], space, at })
  earned.push({ user, kind: 'space_joined', dedupKey: `space_joined:space:${space}:user:${user}`, at })
}

const change = async (run: Run, slice: Slice, decided: readonly MembershipDecision[]) => {
  const before = new Map(
    (
      await statusesOf(
        slice.db,
        decided.map(({ id }) => id),
      )
    ).map(({ id, status }) => [id, status]),
  )
  await updateRows(
    slice.db,
    'space_members',
    { id: 'bigint', role: 'text', status: 'text' },
    'role = d.role, status = d.status',
    'space_members.id = d.id',
    decided.map(({ id, guarded }) => [id, ...guarded]),
  )
  for (const one of decided) {
    const [was, is] = [before.get(one.id) === 'active', one.item.record.status === 'active']
    if (was !== is) slice.counters.add('spaces.members_count', one.space, is ? 1 : -1)
    if (is && !was) announce(run, slice, one)
  }
}

export const memberships: KindWriter<'memberships', MembershipDecision> = {
  kind: 'memberships',
  guarded: { table: 'space_members', columns: COLUMNS },
  decide: async (run, items, settle) => {
    const named = await findPlaces(run, items, settle)
    const rows = await presentOf(
      run.services.database.read,
      named.map(({ space, user }) => [space, user]),
    )
    const present = new Map(rows.map((row) => [`${row.space_id} ${row.user_id}`, row]))
    const keyOf = (pair: string) => `membership:${pair}`
    const taken = await run.memory.taken(named.map(({ space, user }) => keyOf(`${space} ${user}`)))
    // In record order, so that a new export has the same order.
    const ids = await run.ids.take('space_members', items.length)
    const order = new Map(items.map((item, i) => [item, i]))
    const decided: MembershipDecision[] = []
    // Highest rank first, so that it is the one that is stored.
    for (const { item, space, user, isCreator } of named.toSorted((a, b) => strengthOf(b.item.record) - strengthOf(a.item.record))) {
      const { record, known } = item
      const pair = `${space} ${user}`
      const row = present.get(pair)
      const one = { item, space, user, isCreator, guarded: [record.role, record.status] }
      const isStronger = row !== undefined && row.joined_at === row.updated_at && strengthOf(record) > strengthOf(row)
      if (known) decided.push({ ...one, id: known.local_id as number, exists: true })
      else if (taken.has(keyOf(pair)) || (row && !isStronger))
        settle(item, 'skipped', 'it is a duplicate: the member is already in the space')
      else {
        taken.add(keyOf(pair))
        run.memory.take(keyOf(pair))
        decided.push({ ...one, id: row?.id ?? (ids[order.get(item) ?? 0] as number), exists: row !== undefined })
      }
    }
    return decided
  },
  insert: async (run, slice, decided) => {
    const fresh = decided.filter(({ exists }) => !exists)
    await slice.add(
      'space_members',
      ['id', 'space_id', 'user_id', ...COLUMNS, 'joined_at', 'updated_at'],
      fresh.map(({ id, space, user, guarded, item: { record } }) => {
        const at = notAfter(run.now, record.joined_at)
        return [id, space, user, ...guarded, at, at]
      }),
    )
    for (const one of fresh) {
      if (one.item.record.status !== 'active') continue
      slice.counters.add('spaces.members_count', one.space)
      announce(run, slice, one)
    }
    await change(
      run,
      slice,
      decided.filter(({ exists }) => exists),
    )
  },
  update: change,
}
