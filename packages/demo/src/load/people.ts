import { NAME_COLUMNS, nameRows, runText, type Value } from '../../../server/src/db/index.ts'
import { FOLLOW } from '../insert/follows.ts'
import { accountOf, MEMBERSHIP, USER } from '../insert/people.ts'
import { placeOf } from '../insert/placed.ts'
import type { Loading, Steps } from './scene.ts'

const UNSORTED = 'unsorted_names'

/** Names are put in order before they are kept: each of millions would else be looked up at a place of its own. */
const sortNames = async ({ load: { db } }: Loading): Promise<void> => {
  const columns = NAME_COLUMNS.join(', ')
  await runText(db, `insert into user_name_tokens (${columns}) select ${columns} from ${UNSORTED} order by token, user_id`, [])
  await runText(db, `drop table ${UNSORTED}`, [])
}

export async function* loadMembers(loading: Loading): Steps {
  const { load, plan, renaming, firsts } = loading
  await runText(load.db, `create temporary table ${UNSORTED} (token text, user_id bigint, is_whole_word bigint)`, [])
  let id = firsts.users
  for (const members of plan.members) {
    const accounts = members.map((member) => accountOf(member, id++, renaming))
    await load.add(
      'users',
      USER,
      accounts.map(({ row }) => row),
    )
    await load.add(
      UNSORTED,
      NAME_COLUMNS,
      accounts.flatMap(({ names }) => nameRows(names.id, names)),
    )
    yield members.length
  }
  await sortNames(loading)
}

export async function* loadMemberships({ load, plan, spaces, firsts, moment }: Loading): Steps {
  for (const list of plan.memberships) {
    await load.add(
      'space_members',
      MEMBERSHIP,
      list.map(({ space, member, role, created_at }): Value[] => {
        const at = moment(created_at)
        return [placeOf(spaces, space), firsts.users + member, role, at, at]
      }),
    )
    yield list.length
  }
}

export async function* loadFollows({ load, plan, firsts, moment }: Loading): Steps {
  for (const list of plan.follows) {
    await load.add(
      'followers',
      FOLLOW,
      list.map(({ follower, following, created_at }): Value[] => {
        const at = moment(created_at)
        return [firsts.users + follower, firsts.users + following, 'active', at, at]
      }),
    )
    yield list.length
  }
}
