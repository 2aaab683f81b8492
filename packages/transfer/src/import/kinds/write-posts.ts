import {
  batchStatement,
  type Db,
  indexFeed,
  runText,
  searchEntry,
  statement,
  statementOne,
  type Value,
} from '../../../../server/src/db/index.ts'
import { type Listing, lockFeed, updateCounts } from '../../../../server/src/modules/feeds/counters.ts'
import { searchText } from '../../../../server/src/modules/feeds/fields.ts'
import type { Survey } from '../../../../server/src/modules/feeds/meta.ts'
import type { Run } from '../run.ts'
import type { Slice } from '../slice.ts'
import { attachFiles } from './files.ts'
import { HOLD_COLUMNS, holdRow, isHeld } from './moderation-holds.ts'
import { POST_COLUMNS, type PostDecision } from './post-decision.ts'
import { flag } from './values.ts'
import { setColumns } from './write-columns.ts'

const ROW = [
  'id',
  'slug',
  ...POST_COLUMNS,
  'message_rendered',
  'listed',
  'is_sticky',
  'created_at',
  'updated_at',
  'published_at',
  'active_at',
]

const statusOf = ({ guarded }: PostDecision): string => String(guarded[POST_COLUMNS.indexOf('status')])
const scheduledAt = ({ guarded }: PostDecision) => guarded[POST_COLUMNS.indexOf('scheduled_at')] as string | null
const expiresAt = ({ guarded }: PostDecision) => guarded[POST_COLUMNS.indexOf('expired_at')] as string | null
const privacyOf = ({ guarded }: PostDecision) => guarded[POST_COLUMNS.indexOf('privacy')] as 'public' | 'private'
const surveyIn = ({ meta }: PostDecision) => meta['survey'] as Survey | undefined

const pinnedPlaces = batchStatement<{ place: number }>(
  { place: 'bigint' },
  (rows) => `select d.place from ${rows} d cross join feeds f where f.is_sticky = 1 and f.listed = 1 and coalesce(f.space_id, 0) = d.place`,
)

/** The posts to pin: the first of each space, unless the space already has a pinned post. */
const pinnedAmong = async ({ db }: Slice, decided: readonly PostDecision[]): Promise<Set<PostDecision>> => {
  const wanted = decided.filter(({ pinned }) => pinned)
  if (wanted.length === 0) return new Set()
  const places = [...new Set(wanted.map(({ space }) => space ?? 0))]
  const taken = new Set((await pinnedPlaces(db, places)).map(({ place }) => place))
  const kept = new Set<PostDecision>()
  for (const one of wanted) {
    const place = one.space ?? 0
    if (one.listed && taken.has(place)) continue
    if (one.listed) taken.add(place)
    kept.add(one)
  }
  return kept
}

const JOB = ['name', 'outgoing', 'payload', 'run_at', 'created_at']

/** Jobs that publish a scheduled post and unlist an expired one. */
const jobsOf = (now: string, one: PostDecision): Value[][] => {
  const job = (name: string, at: string): Value[] => [name, 0, JSON.stringify({ feed_id: one.id, at }), at, now]
  const [publishes, expires] = [scheduledAt(one), expiresAt(one)]
  return [
    ...(publishes && publishes > now ? [job('feeds.publish', publishes)] : []),
    ...(expires && expires > now ? [job('feeds.expire', expires)] : []),
  ]
}

const scheduleRow = (now: string, one: PostDecision): Value[] => {
  const { timezone = 'UTC', auto_publish = true } = one.item.record
  // No reminder for a time that has passed.
  return [one.id, timezone, flag(auto_publish), flag((scheduledAt(one) ?? '') <= now)]
}
const SCHEDULE = ['feed_id', 'timezone', 'auto_publish', 'notification_sent']

const announce = ({ activities, earned }: Slice, one: PostDecision) => {
  if (statusOf(one) !== 'published') return
  const { id, author: user, space, times } = one
  activities.push({ user, action: 'post_created', on: ['feed', id], space, feed: id, at: times.published_at })
  earned.push({ user, kind: 'post_created', dedupKey: `post_created:feed:${id}`, space, feed: id, at: times.published_at })
}

/** Inserts the child rows of new posts. */
const insertParts = async (run: Run, slice: Slice, decided: readonly PostDecision[]) => {
  const { add } = slice
  const surveys = decided.filter((one) => surveyIn(one) !== undefined)
  await add(
    'surveys',
    ['feed_id'],
    surveys.map(({ id }) => [id]),
  )
  await add(
    'survey_options',
    ['feed_id', 'slug'],
    surveys.flatMap((one) => surveyIn(one)?.options.map(({ slug }) => [one.id, slug]) ?? []),
  )
  await add(
    'feed_topics',
    ['feed_id', 'topic_id', 'position', 'published_at'],
    decided.flatMap(({ id, topics, times }) => topics.map((topic, position) => [id, topic, position, times.published_at])),
  )
  await add(
    'moderation_holds',
    HOLD_COLUMNS,
    decided.flatMap((one) => (isHeld(statusOf(one)) ? [holdRow(one.id, null, one.item.record.hold, one.times.updated_at)] : [])),
  )
  await add(
    'scheduled_posts',
    SCHEDULE,
    decided.flatMap((one) => (statusOf(one) === 'scheduled' ? [scheduleRow(run.now, one)] : [])),
  )
  await add(
    'jobs',
    JOB,
    decided.flatMap((one) => jobsOf(run.now, one)),
  )
}

export const insertPosts = async (run: Run, slice: Slice, decided: readonly PostDecision[]): Promise<void> => {
  const { db, add, counters } = slice
  const pinned = await pinnedAmong(slice, decided)
  await add(
    'feeds',
    ROW,
    decided.map((one) => {
      const { id, slug, guarded, html, listed, times } = one
      return [
        ...[id, slug, ...guarded, html, flag(listed), flag(pinned.has(one))],
        ...[times.created_at, times.updated_at, times.published_at, times.active_at],
      ]
    }),
  )
  await add(
    'feed_search',
    ['rowid', 'document'],
    decided.map(({ id, document }) => searchEntry(db, id, document)),
  )
  await insertParts(run, slice, decided)
  await attachFiles(slice, 'feed', decided)
  for (const one of decided) {
    const { id, space, listed, topics } = one
    if (one.pinned && !pinned.has(one)) one.item.notes.push('it was not pinned: the space already has a pinned post')
    slice.redirect('posts', id, one.item.record.urls)
    announce(slice, one)
    if (!listed) continue
    counters.addListed(space, privacyOf(one))
    if (space !== null) counters.add('spaces.posts_count', space)
    for (const topic of topics) counters.add('topics.posts_count', topic)
  }
}

type Before = Listing & { readonly message_rendered: string; readonly title: string; readonly status: string }

const beforeOf = statementOne<Before>(
  'select listed, is_sticky, space_id, privacy, message_rendered, title, status from feeds where id = $1',
)
const deleteTopics = statement('delete from feed_topics where feed_id = $1')
const deleteHold = statement('delete from moderation_holds where feed_id = $1 and comment_id is null')
const deleteSchedule = statement('delete from scheduled_posts where feed_id = $1')
const addOption = statement('insert into survey_options (feed_id, slug) values ($1, $2) on conflict (feed_id, slug) do nothing')
const addSurvey = statement('insert into surveys (feed_id) values ($1) on conflict (feed_id) do nothing')

/** Adds new options of a survey, and removes deleted ones without votes. */
const updateSurvey = async (db: Db, one: PostDecision) => {
  const survey = surveyIn(one)
  if (!survey) return
  await addSurvey(db, [one.id])
  for (const { slug } of survey.options) await addOption(db, [one.id, slug])
  const slugs = survey.options.map(({ slug }) => slug)
  await runText(
    db,
    `delete from survey_options where feed_id = $1 and votes = 0 and slug not in (${slugs.map((_, i) => `$${i + 2}`).join(', ')})`,
    [one.id, ...slugs],
  )
}

const updatePost = async (run: Run, slice: Slice, one: PostDecision): Promise<void> => {
  const { db } = slice
  await lockFeed(db, one.id, one.space)
  const before = await beforeOf(db, [one.id])
  if (!before) return
  const { id, space, html, listed, times } = one
  const isPublished = statusOf(one) === 'published'
  await updateCounts(db, id, before, null)
  await deleteTopics(db, [id])
  await deleteHold(db, [id])
  await deleteSchedule(db, [id])
  const staysPinned = before.is_sticky === 1 && before.space_id === space
  const pin = flag(staysPinned || (listed && (await pinnedAmong(slice, [one])).has(one)))
  const isFirst = isPublished && before.status !== 'published'
  await setColumns(
    db,
    'feeds',
    [...POST_COLUMNS, 'message_rendered', 'listed', 'is_sticky', 'updated_at', ...(isFirst ? ['published_at', 'active_at'] : [])],
    id,
    [...one.guarded, html, flag(listed), pin, times.updated_at, ...(isFirst ? [times.published_at, times.active_at] : [])],
  )
  await updateSurvey(db, one)
  await insertParts(run, slice, [{ ...one, meta: {} }])
  await updateCounts(db, id, null, { listed: flag(listed), is_sticky: pin, space_id: space, privacy: privacyOf(one) })
  const title = String(one.guarded[POST_COLUMNS.indexOf('title')])
  if (html !== before.message_rendered || title !== before.title)
    await indexFeed(db, id, searchText({ title, message_rendered: html }), false)
  if (isFirst) announce(slice, one)
}

export const updatePosts = async (run: Run, slice: Slice, decided: readonly PostDecision[]): Promise<void> => {
  for (const one of decided) {
    await updatePost(run, slice, one)
    slice.redirect('posts', one.id, one.item.record.urls)
  }
  await attachFiles(slice, 'feed', decided)
}
