import { type Db, limitTo, type Placeholder, selectRows, statementIn, statementOne, type Tables } from '../../db/index.ts'
import { ACTIVE_PERSON_COLUMNS, type ActivePersonColumns, PERSON_COLUMNS } from '../members/view.ts'
import { SCORE_COLUMNS } from './point-rules.ts'

/** The points of a user in a period, by component. */
type Score = Omit<Tables['period_scores'], 'period_id' | 'space_id'>

interface LeaderboardRow extends Score {
  readonly posts_count: number | null
  readonly comments_count: number | null
  readonly reactions_count: number | null
  readonly courses_count: number | null
}

export interface RankedMember extends LeaderboardRow, ActivePersonColumns {}

export interface ListedMember extends ActivePersonColumns {
  readonly user_id: number
}

/** What is ranked: the scores of a period, in a space (0: the whole community). */
export interface Leaderboard {
  readonly periodId: number
  readonly spaceId: number
}

const SCORE = SCORE_COLUMNS.map((column) => `s.${column}`).join(', ')
const COUNTS = 'n.posts as posts_count, n.comments as comments_count, n.reactions as reactions_count, n.courses as courses_count'

/** SQL condition for the scores of a leaderboard; the table is `s`. */
export const leaderboardCondition = ({ periodId, spaceId }: Leaderboard, p: Placeholder) =>
  `s.period_id = ${p(periodId)} and s.space_id = ${p(spaceId)}`

/** The top rows of a leaderboard. The join order is fixed: first the index on points, then each user. */
export const topRows = (db: Db, board: Leaderboard, limit: number): Promise<LeaderboardRow[]> =>
  selectRows<LeaderboardRow>(
    db,
    (p) => `select ${SCORE}, u.id as user_id, ${COUNTS}
      from period_scores s cross join users u left join contribution_counts n on n.user_id = u.id
      where ${leaderboardCondition(board, p)} and s.points > 0 and u.id = s.user_id and u.status = 'active'
      order by s.points desc, s.user_id ${limitTo(db, limit, 0, p)}`,
  )

const listedWith = (lastActivity: string) =>
  statementIn<ListedMember>(
    (list) =>
      `select u.id as user_id, ${PERSON_COLUMNS}, ${lastActivity} as u_last_activity from users u where u.id in (${list}) and u.status = 'active'`,
  )
const listed = { with: listedWith('u.last_activity'), without: listedWith('null') }

/** Without the last activity, which changes often, if nobody's is shown. */
export const listedMembers = async (
  db: Db,
  userIds: readonly number[],
  activity: keyof typeof listed,
): Promise<Map<number, ListedMember>> => new Map((await listed[activity](db, userIds)).map((row) => [row.user_id, row]))

const memberRow = statementOne<RankedMember>(
  `select 0 as points, 0 as posts, 0 as comments, 0 as reactions, 0 as courses, 0 as helpful,
   u.id as user_id, ${ACTIVE_PERSON_COLUMNS}, ${COUNTS} from users u
   left join contribution_counts n on n.user_id = u.id where u.id = $1`,
)

const scoreOn = statementOne<Score>(
  `select s.user_id, ${SCORE} from period_scores s where s.period_id = $1 and s.space_id = $2 and s.user_id = $3`,
)

/** A user on a leaderboard with their rank by `rankOf`; null without points. */
export const positionOn = async (
  db: Db,
  { periodId, spaceId }: Leaderboard,
  userId: number,
  rankOf: (score: Score) => Promise<number>,
): Promise<{ person: RankedMember; rank: number | null } | undefined> => {
  const [person, score] = await Promise.all([memberRow(db, [userId]), scoreOn(db, [periodId, spaceId, userId])])
  if (!person) return undefined
  const rank = score && score.points > 0 ? await rankOf(score) : null
  return { person: { ...person, ...score }, rank }
}

export interface AchievementFor extends Omit<Tables['achievements'], 'level_id'> {
  readonly level_title: string | null
  readonly level_icon: string | null
}

const achievements = statementIn<AchievementFor>(
  (list) => `select a.id, a.user_id, a.code, a.earned_at, l.title as level_title, l.badge_icon as level_icon from achievements a
   left join leaderboard_levels l on l.id = a.level_id where a.user_id in (${list}) order by a.user_id, a.earned_at, a.id`,
)

export const achievementsOf = async (db: Db, userIds: readonly number[]): Promise<Map<number, AchievementFor[]>> =>
  Map.groupBy(await achievements(db, userIds), (row) => row.user_id)
