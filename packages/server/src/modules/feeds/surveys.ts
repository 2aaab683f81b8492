import { type Db, statement, statementIn, statementNumber, statementValues } from '../../db/index.ts'
import type { Survey } from './meta.ts'

const insertSurvey = statement('insert into surveys (feed_id) values ($1) on conflict (feed_id) do nothing')
const insertOption = statement('insert into survey_options (feed_id, slug) values ($1, $2) on conflict (feed_id, slug) do nothing')
const dropSurvey = statement('delete from surveys where feed_id = $1')
const votesOfUser = statementValues<string>('delete from survey_votes where feed_id = $1 and user_id = $2 returning option_slug')
const insertVote = statement('insert into survey_votes (feed_id, user_id, slot, option_slug, created_at) values ($1, $2, $3, $4, $5)')
const addVotes = statement('update survey_options set votes = votes + $3 where feed_id = $1 and slug = $2')
const addVoters = statement('update surveys set voters = voters + $2 where feed_id = $1')

const optionsOf = statementIn<{ feed_id: number; voters: number; slug: string; votes: number; mine: number | null }>(
  (list) => `select s.feed_id, s.voters, o.slug, o.votes,
    (select 1 from survey_votes v where v.feed_id = s.feed_id and v.user_id = $1 and v.option_slug = o.slug) as mine
    from surveys s join survey_options o on o.feed_id = s.feed_id where s.feed_id in (${list})`,
)

export interface Tally {
  readonly voters: number
  readonly votes: ReadonlyMap<string, number>
  /** Options that the caller voted for. */
  readonly mine: readonly string[]
}

export const EMPTY_TALLY: Tally = { voters: 0, votes: new Map(), mine: [] }

export const countVoters = statementNumber('select voters as n from surveys where feed_id = $1')

/** Creates or replaces the rows that count votes. Nobody may have voted yet. */
export const saveSurvey = async (db: Db, feedId: number, survey: Survey | null): Promise<void> => {
  await dropSurvey(db, [feedId])
  if (!survey) return
  await insertSurvey(db, [feedId])
  for (const { slug } of survey.options) await insertOption(db, [feedId, slug])
}

/** Replaces the votes of a member. The caller holds the lock of the feed's row, so counts and votes stay consistent. */
const replaceVotes = async (db: Db, feedId: number, userId: number, votes: readonly { slug: string; slot: number }[], now: string) => {
  const before = await votesOfUser(db, [feedId, userId])
  for (const option of before) await addVotes(db, [feedId, option, -1])
  for (const { slug, slot } of votes) {
    await insertVote(db, [feedId, userId, slot, slug, now])
    await addVotes(db, [feedId, slug, 1])
  }
  const change = (votes.length > 0 ? 1 : 0) - (before.length > 0 ? 1 : 0)
  if (change !== 0) await addVoters(db, [feedId, change])
}

export const castVote = (db: Db, feedId: number, userId: number, survey: Survey, slugs: readonly string[], now: string) => {
  const slotOf = (slug: string) => (survey.allow_multiple ? survey.options.findIndex((option) => option.slug === slug) + 1 : 0)
  const votes = slugs.map((slug) => ({ slug, slot: slotOf(slug) }))
  return replaceVotes(db, feedId, userId, votes, now)
}

export const withdrawVote = (db: Db, feedId: number, userId: number) => replaceVotes(db, feedId, userId, [], '')

/** Vote counts of several surveys, and the member's own votes. */
export const tallies = async (db: Db, feedIds: readonly number[], userId: number): Promise<Map<number, Tally>> => {
  const byFeed = Map.groupBy(await optionsOf(db, feedIds, [userId]), (row) => row.feed_id)
  return new Map(
    [...byFeed].map(([id, options]) => [
      id,
      {
        voters: options[0]?.voters ?? 0,
        votes: new Map(options.map((option) => [option.slug, option.votes])),
        mine: options.filter((option) => option.mine).map((option) => option.slug),
      },
    ]),
  )
}

export const tallyOf = async (db: Db, feedId: number, userId: number): Promise<Tally> =>
  (await tallies(db, [feedId], userId)).get(feedId) ?? EMPTY_TALLY

/** Whether the caller sees counts and voters. `seesAll`: they are the author or moderate. */
export const seesResults = (survey: Survey, tally: Tally, seesAll: boolean): boolean =>
  seesAll || survey.show_results === 'always' || (survey.show_results === 'after_vote' && tally.mine.length > 0)

/** Counts and percentages with one decimal; null where the caller may not see them. */
export const viewResults = (survey: Survey, tally: Tally, visible: boolean) => ({
  total_votes: visible ? tally.voters : null,
  options: survey.options.map(({ slug, label }) => {
    const votes = tally.votes.get(slug) ?? 0
    const percentage = tally.voters === 0 ? 0 : Math.round((votes / tally.voters) * 1000) / 10
    return { slug, label, votes: visible ? votes : null, percentage: visible ? percentage : null }
  }),
})

export const viewSurvey = (survey: Survey, tally: Tally, visible: boolean, now: string) => ({
  ...survey,
  ...viewResults(survey, tally, visible),
  voted: survey.options.map(({ slug }) => slug).filter((slug) => tally.mine.includes(slug)),
  is_closed: survey.end_date !== undefined && survey.end_date <= now,
})

export const listVoters = statement<{ id: number; display_name: string; avatar: string; voted_at: string }>(
  `select u.id, u.display_name, u.avatar, v.created_at as voted_at from survey_votes v join users u on u.id = v.user_id
   where v.feed_id = $1 and v.option_slug = $2 order by v.created_at, v.user_id limit $3 offset $4`,
)
