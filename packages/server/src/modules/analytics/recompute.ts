import { type Db, statement } from '../../db/index.ts'
import { type Change, MEMBER_COUNTS } from './accumulators.ts'

const COUNTS = Object.fromEntries([...MEMBER_COUNTS, 'joins', 'members'].map((name) => [name, 0]))
const NO_CHANGE = { user_id: null, space_id: null, ...COUNTS } as Omit<Change, 'at'>

type CountedRow = Partial<Change> & Pick<Change, 'at'>

const USERS_PER_BATCH = 50
const ROWS_PER_BATCH = 2000

const people = statement<{ id: number; created_at: string; status: string }>(
  `select id, created_at, status from users where id > $1 order by id limit ${USERS_PER_BATCH}`,
)
const posts = statement<CountedRow>(
  `select published_at as at, user_id, space_id, 1 as posts, reactions_count as post_reactions, comments_count as post_comments
   from feeds where user_id > $1 and user_id <= $2 and status = 'published' and lesson_id is null`,
)
const comments = statement<CountedRow>(
  `select c.created_at as at, c.user_id, f.space_id, 1 as comments, c.reactions_count as comment_reactions
   from comments c join feeds f on f.id = c.post_id where c.user_id > $1 and c.user_id <= $2 and c.status = 'published'`,
)
const reactions = statement<CountedRow>(
  `select r.created_at as at, r.user_id, f.space_id, 1 as reactions
   from reactions r join feeds f on f.id = r.feed_id where r.user_id > $1 and r.user_id <= $2`,
)
const memberships = statement<{ id: number; at: string; space_id: number; status: string }>(
  `select id, joined_at as at, space_id, status from space_members where id > $1 order by id limit ${ROWS_PER_BATCH}`,
)

const completeChange = (found: CountedRow): Change => ({ ...NO_CHANGE, ...found })

interface RecountBatch {
  readonly changes: readonly Change[]
  /** Creation times of the accounts in this batch. */
  readonly accounts: ReadonlyMap<number, string>
}

/**
 * Yields all counted rows in batches: all contributions of some users at a time, then memberships. Posts are published feeds outside of
 * lessons, comments are published ones, reactions are all.
 */
export async function* recount(db: Db): AsyncGenerator<RecountBatch> {
  for (let last = 0; ; ) {
    const some = await people(db, [last])
    const end = some.at(-1)
    if (!end) break
    const between = [last, end.id]
    const found = [...(await posts(db, between)), ...(await comments(db, between)), ...(await reactions(db, between))]
    const created = some.filter(({ status }) => status === 'active').map(({ created_at }) => ({ at: created_at, members: 1 }))
    yield { changes: [...found, ...created].map(completeChange), accounts: new Map(some.map(({ id, created_at }) => [id, created_at])) }
    last = end.id
  }
  for (let last = 0; ; ) {
    const some = await memberships(db, [last])
    const end = some.at(-1)
    if (!end) return
    const active = some.filter(({ status }) => status === 'active')
    yield { changes: active.map(({ at, space_id }) => completeChange({ at, space_id, joins: 1 })), accounts: new Map() }
    last = end.id
  }
}

type Page = readonly (CountedRow & { readonly id: number })[]

const pages = (columns: string, from: string, where: string) =>
  statement<Page[number]>(`select t.id, ${columns} from ${from} where t.id > $1 and ${where} order by t.id limit ${ROWS_PER_BATCH}`)

const TABLES = [
  pages(
    't.published_at as at, t.user_id, t.space_id, 1 as posts, t.reactions_count as post_reactions, t.comments_count as post_comments',
    'feeds t',
    `t.status = 'published' and t.lesson_id is null`,
  ),
  pages(
    't.created_at as at, t.user_id, f.space_id, 1 as comments, t.reactions_count as comment_reactions',
    'comments t join feeds f on f.id = t.post_id',
    `t.status = 'published'`,
  ),
  pages('t.created_at as at, t.user_id, f.space_id, 1 as reactions', 'reactions t join feeds f on f.id = t.feed_id', '1 = 1'),
  pages('t.created_at as at, 1 as members', 'users t', `t.status = 'active'`),
  pages('t.joined_at as at, t.space_id, 1 as joins', 'space_members t', `t.status = 'active'`),
]

/** Yields the same rows in the order of their ids, which is nearly that of their times, so that those of a day are close to one another. */
export async function* recountInOrder(db: Db): AsyncGenerator<readonly Change[]> {
  for (const next of TABLES) {
    for (let last = 0; ; ) {
      const found: Page = await next(db, [last])
      const end = found.at(-1)
      if (!end) break
      yield found.map(completeChange)
      last = end.id
    }
  }
}
