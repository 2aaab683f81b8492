import type { ArchiveRecord } from '@lyceum/contract/archive'
import { type FeedRow, runText, statementIn, type Tables } from '../../../../server/src/db/index.ts'
import { addressesOf } from '../addresses.ts'
import { attachmentsOf, mediaOfRows } from '../attachments.ts'
import { type ExportContext, type KindReader, listing, PAGE } from '../context.ts'
import { filled, parsed } from '../filled.ts'

type Post = ArchiveRecord<'posts'>
type ModerationHold = Pick<Tables['moderation_holds'], 'reason' | 'details' | 'created_at'>

const topicsOf = statementIn<{ feed_id: number; topic_id: number }>(
  (list) => `select feed_id, topic_id from feed_topics where feed_id in (${list}) order by feed_id, position, topic_id`,
)
const schedules = statementIn<Tables['scheduled_posts']>((list) => `select * from scheduled_posts where feed_id in (${list})`)
const holdsOf = statementIn<ModerationHold & { readonly feed_id: number }>(
  (list) => `select feed_id, reason, details, created_at from moderation_holds where comment_id is null and feed_id in (${list})`,
)

const byFeed = <Row extends { readonly feed_id: number }>(rows: readonly Row[]) => Map.groupBy(rows, ({ feed_id }) => feed_id)

export const holdOf = (hold: ModerationHold | undefined) =>
  filled({ hold: hold && { reason: hold.reason, ...filled({ details: parsed(hold.details) }), created_at: hold.created_at } })

const surveyOf = (survey: unknown): Pick<Post, 'survey'> => {
  if (!survey) return {}
  const { question, options, allow_multiple, show_results, end_date } = survey as NonNullable<Post['survey']>
  const plain = options.map(({ slug, label }) => ({ slug, label }))
  return { survey: { question, options: plain, ...filled({ allow_multiple, show_results, end_date }) } }
}

const pathsOf = ({ slug, space }: { readonly slug: string; readonly space: string | null }): string[] => [
  ...(space === null ? [] : [`/spaces/${space}/feeds/${slug}`]),
  `/feeds/${slug}`,
]

const view = async (ctx: ExportContext, rows: readonly (FeedRow & { readonly space: string | null })[]): Promise<Post[]> => {
  const { db } = ctx
  const feeds = rows.map(({ id }) => id)
  const topics = byFeed(await topicsOf(db, feeds))
  const scheduled = byFeed(await schedules(db, feeds))
  const holds = byFeed(await holdsOf(db, feeds))
  const media = await mediaOfRows(ctx, rows, ...rows.map(({ featured_image }) => featured_image))
  const addresses = await addressesOf(db, 'feed_id', feeds)
  const ids = await ctx.ids({
    posts: feeds,
    people: rows.map(({ user_id }) => user_id),
    spaces: rows.map(({ space_id }) => space_id),
    topics: [...topics.values()].flat().map(({ topic_id }) => topic_id),
  })
  return rows.map((row): Post => {
    const { survey, comments_disabled, ...meta } = parsed(row.meta)
    const plan = scheduled.get(row.id)?.[0]
    return {
      id: ids.of('posts', row.id),
      urls: addresses(row.id, ...pathsOf(row)),
      author: ids.of('people', row.user_id),
      ...filled({ space: ids.ifAny('spaces', row.space_id) }),
      slug: row.slug,
      ...filled({ title: row.title }),
      message: row.message,
      type: row.type as NonNullable<Post['type']>,
      content_type: row.content_type as NonNullable<Post['content_type']>,
      status: row.status,
      privacy: row.privacy,
      ...filled({ topics: topics.get(row.id)?.map(({ topic_id }) => ids.of('topics', topic_id)) }),
      ...filled({ is_sticky: row.is_sticky === 1, comments_disabled: comments_disabled === true }),
      ...(row.priority > 0 && { priority: row.priority }),
      ...media.picture('featured_image', row.featured_image),
      ...surveyOf(survey),
      ...attachmentsOf(meta, media),
      ...filled({ scheduled_at: row.scheduled_at, timezone: plan?.timezone, auto_publish: plan?.auto_publish === 1 }),
      ...filled({ expired_at: row.expired_at, edited_at: row.edited_at, edited_by_moderator: row.edited_by_moderator === 1 }),
      published_at: row.published_at,
      active_at: row.active_at,
      ...holdOf(holds.get(row.id)?.[0]),
      created_at: row.created_at,
      updated_at: row.updated_at,
    }
  })
}

/** Excludes the feeds of lessons, which hold comments. An import recreates them. */
export const posts = listing<FeedRow & { readonly space: string | null }, 'posts'>({
  columns: 'f.*, s.slug as space',
  from: 'feeds f left join spaces s on s.id = f.space_id where f.lesson_id is null',
  key: 'f.id',
  inSpace: (space) => `f.space_id = ${space} and f.status <> 'draft'`,
  view,
})

type Vote = Tables['survey_votes']

const inSpace = `and v.feed_id in (select f.id from feeds f where f.space_id = $3 and f.status <> 'draft')`

const voteRecords = async (ctx: ExportContext, rows: readonly Vote[]): Promise<ArchiveRecord<'survey_votes'>[]> => {
  const ids = await ctx.ids({ posts: rows.map(({ feed_id }) => feed_id), people: rows.map(({ user_id }) => user_id) })
  const votes = Map.groupBy(rows, ({ feed_id, user_id }) => `${feed_id} ${user_id}`)
  return [...votes.values()].map(([first, ...others]) => {
    const { feed_id, user_id, option_slug, created_at } = first as Vote
    const [post, person] = [ids.of('posts', feed_id), ids.of('people', user_id)]
    return { id: `${post}/${person}`, post, person, options: [option_slug, ...others.map((row) => row.option_slug)], created_at }
  })
}

/** One record contains all chosen options of a voter. */
export const surveyVotes: KindReader<'survey_votes'> = {
  count: async ({ db, spaceId }) => {
    const where = spaceId === null ? '' : `where v.feed_id in (select f.id from feeds f where f.space_id = $1 and f.status <> 'draft')`
    const text = `select count(*) as n from (select v.feed_id, v.user_id from survey_votes v ${where} group by v.feed_id, v.user_id) as voters`
    const [row] = await runText<{ n: number | string }>(db, text, spaceId === null ? [] : [spaceId])
    return Number(row?.n ?? 0)
  },
  pages: async function* (ctx) {
    const { db, spaceId } = ctx
    const text = `select v.* from survey_votes v where (v.feed_id, v.user_id) > ($1, $2) ${spaceId === null ? '' : inSpace}
      order by v.feed_id, v.user_id, v.slot limit ${PAGE}`
    for (let after: readonly [number, number] = [0, 0]; ; ) {
      const rows = await runText<Vote>(db, text, [...after, ...(spaceId === null ? [] : [spaceId])])
      const last = rows.at(-1)
      if (!last) return
      const isEnd = rows.length < PAGE
      // The last voter of a full page may have more rows.
      const whole = isEnd ? rows : rows.filter((row) => row.feed_id !== last.feed_id || row.user_id !== last.user_id)
      yield await voteRecords(ctx, whole)
      const end = whole.at(-1)
      if (isEnd || !end) return
      after = [end.feed_id, end.user_id]
    }
  },
}
