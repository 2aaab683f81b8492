import { chunkPadded, type Db, limitTo, parameters, rowVersion, runText, statementIn, statementOne } from '../../db/index.ts'
import { ACTIVE_PERSON_COLUMNS, type ActivePersonColumns } from '../members/view.ts'
import { PARTS } from './rules.ts'

/** What somebody earned in some days, by what it was earned with. */
export interface Score {
  readonly user_id: number
  readonly points: number
  readonly posts: number
  readonly comments: number
  readonly reactions: number
  readonly courses: number
  readonly helpful: number
}

/** Figures of somebody on a board. */
export interface Placed extends Score {
  readonly u_last_activity: string | null
  readonly posts_count: number | null
  readonly comments_count: number | null
  readonly reactions_count: number | null
  readonly courses_count: number | null
}

/** The same where the person is still to be looked up: with the version of his row. */
export interface PlacedRow extends Placed {
  readonly version: string | null
}

export interface Ranked extends Placed, ActivePersonColumns {}

/** Somebody who is listed, with the version of his row. */
export interface Listed extends ActivePersonColumns {
  readonly user_id: number
  readonly version: string | null
}

/** What is ranked: the points of some days, in a space (0: in the whole community). */
export interface Board {
  readonly window: number
  readonly spaceId: number
}

const SCORE = ['points', ...PARTS].map((part) => `s.${part}`).join(', ')
const COUNTS = 'n.posts as posts_count, n.comments as comments_count, n.reactions as reactions_count, n.courses as courses_count'

/** SQL that holds for the scores of a board, under the name s. */
const onBoard = ({ window, spaceId }: Board, p: (value: number) => string) => `s.period_id = ${p(window)} and s.space_id = ${p(spaceId)}`

/** The first ones of a board, most points first. */
export const topOf = (db: Db, board: Board, limit: number): Promise<PlacedRow[]> => {
  const { values, p } = parameters()
  const where = onBoard(board, p)
  // The order of the tables is that of the work: along the index of the points, and for each the person.
  const text = `select ${SCORE}, u.id as user_id, u.last_activity as u_last_activity, ${COUNTS}, ${rowVersion(db, 'u')} as version
    from period_scores s cross join users u left join contribution_counts n on n.user_id = u.id
    where ${where} and s.points > 0 and u.id = s.user_id and u.status = 'active'
    order by s.points desc, s.user_id ${limitTo(db, limit, 0, p)}`
  return runText<PlacedRow>(db, text, values)
}

const listed = (version: string) =>
  statementIn<Listed>(
    (list) => `select u.id as user_id, ${ACTIVE_PERSON_COLUMNS}, ${version} as version from users u
      where u.id in (${list(1)}) and u.status = 'active'`,
  )
const listedBy = new Map<string, ReturnType<typeof listed>>()

/** Those of these people who are listed, by id. */
export const listedAmong = async (db: Db, userIds: readonly number[]): Promise<Map<number, Listed>> => {
  const version = rowVersion(db, 'u')
  const find = listedBy.get(version) ?? listed(version)
  listedBy.set(version, find)
  const rows: Listed[] = []
  for (const ids of chunkPadded(userIds)) rows.push(...(await find(db, ids.length, ids)))
  return new Map(rows.map((row) => [row.user_id, row]))
}

const personOf = statementOne<Ranked>(
  `select 0 as points, 0 as posts, 0 as comments, 0 as reactions, 0 as courses, 0 as helpful,
   u.id as user_id, ${ACTIVE_PERSON_COLUMNS}, ${COUNTS} from users u
   left join contribution_counts n on n.user_id = u.id where u.id = $1`,
)

const scoreOn = async (db: Db, board: Board, userId: number): Promise<Score | undefined> => {
  const { values, p } = parameters()
  const where = onBoard(board, p)
  const text = `select s.user_id, ${SCORE} from period_scores s where ${where} and s.user_id = ${p(userId)}`
  return (await runText<Score>(db, text, values))[0]
}

/** Somebody on a board, with the place that `rankOf` finds; no place without points. */
export const placeOn = async (
  db: Db,
  board: Board,
  userId: number,
  rankOf: (score: Score) => Promise<number>,
): Promise<{ person: Ranked; rank: number | null } | undefined> => {
  const [person, score] = await Promise.all([personOf(db, [userId]), scoreOn(db, board, userId)])
  if (!person) return undefined
  const rank = score && score.points > 0 ? await rankOf(score) : null
  return { person: { ...person, ...score }, rank }
}

export interface AchievementFor {
  readonly id: number
  readonly user_id: number
  readonly code: string
  readonly earned_at: string
  readonly level_title: string | null
  readonly level_icon: string | null
}

const achievements = statementIn<AchievementFor>(
  (list) => `select a.id, a.user_id, a.code, a.earned_at, l.title as level_title, l.badge_icon as level_icon from achievements a
   left join leaderboard_levels l on l.id = a.level_id where a.user_id in (${list(1)}) order by a.user_id, a.earned_at, a.id`,
)

/** What these people achieved, by person, the earliest first. */
export const achievementsOf = async (db: Db, userIds: readonly number[]): Promise<Map<number, AchievementFor[]>> => {
  const rows: AchievementFor[] = []
  for (const ids of chunkPadded(userIds)) rows.push(...(await achievements(db, ids.length, ids)))
  return Map.groupBy(rows, (row) => row.user_id)
}
