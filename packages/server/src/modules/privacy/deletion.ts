import type { DeletionContent } from '@lyceum/contract'
import { nowOf, shift } from '../../core/clock.ts'
import type { Actor, Services, WriteContext } from '../../core/context.ts'
import { lockName, lockRow, statementExists, statementRowCount } from '../../db/index.ts'
import { job } from '../../jobs/index.ts'
import {
  accountById,
  endAccess,
  eraseAccountRow,
  eraseIdempotentResponses,
  expireExportsOf,
  MANAGERS_LOCK,
  requireAnotherAdmin,
} from '../accounts/index.ts'
import { eraseComments } from '../comments/index.ts'
import { eraseFeeds, eraseVotes } from '../feeds/index.ts'
import { eraseSomeFollows } from '../followers/index.ts'
import { erasePoints } from '../leaderboard/index.ts'
import { detachMedia, eraseMedia } from '../media/index.ts'
import { eraseNotifications } from '../notifications/index.ts'
import { eraseLearning } from '../progress/index.ts'
import { eraseReactions } from '../reactions/index.ts'
import { leaveSomeSpaces } from '../spaces/index.ts'
import { dropExports } from './export-queries.ts'
import { clearOutbox, mailDeleted } from './mail.ts'

interface Deletion {
  readonly content: DeletionContent
  /** Hash of the verified password. Nothing is deleted if the password has changed since. */
  readonly passwordHash?: string
  /** Who deletes the account if not its owner; null: the operator. */
  readonly by?: Pick<Actor, 'id'> | null
}

/**
 * Deletes an account. From the commit on it cannot be used and no longer identifies anybody; jobs then erase its data in batches. Returns
 * false if there is no such account or the password has changed.
 * @throws last_admin
 */
export const deleteAccount = async (ctx: WriteContext, userId: number, { content, passwordHash, by }: Deletion): Promise<boolean> => {
  const { db, emit, enqueue } = ctx
  // The managers lock comes first, so that two administrators cannot delete each other at the same time.
  await lockName(db, MANAGERS_LOCK)
  await requireAnotherAdmin(db, userId)
  await lockRow(db, 'users', userId)
  const account = await accountById(db, [userId])
  if (!account || account.status === 'deleted') return false
  if (passwordHash !== undefined && account.password_hash !== passwordHash) return false
  await eraseAccountRow(ctx, userId)
  await detachMedia(ctx, 'profile', userId)
  await expireExportsOf(db, userId)
  await emit('user.deleted', { user_id: userId })
  await enqueue(ERASURE_JOB, initialProgress(userId, content))
  await enqueue(dropExports, { user_id: userId })
  const { username, display_name, email, lang } = account
  await enqueue(clearOutbox.name, { email, username, display_name }, { runAt: shift(ctx.now, SECOND_ROUND_S) })
  await enqueue(mailDeleted.name, { email, username, display_name, lang, content, by_admin: by !== undefined })
  return true
}

/** How long after a deletion the hourly task overwrites freed pages: the last rows are erased after ten minutes, files after two hours. */
const RECENT_S = 6 * 3600

const deletedSince = statementExists(`select id from events where created_at > $1 and name = 'user.deleted' limit 1`)

/** Overwrites freed pages of the database files if accounts were deleted recently; returns 1 if so. */
export const scrubDeleted = async ({ database, clock }: Services): Promise<number> => {
  if (!(await deletedSince(database.read, [shift(nowOf(clock), -RECENT_S)]))) return 0
  await database.scrub()
  return 1
}

/** Rows per transaction. Fewer where deletions cascade or emit events. */
const ROWS = 200
const EVENT_ROWS = 50
const FEEDS = 10

/** By then, all requests that started before the deletion have ended. */
const SECOND_ROUND_S = 600

interface Step {
  readonly name: string
  readonly run: (ctx: WriteContext, userId: number, content: DeletionContent) => Promise<number>
  /** The step is repeated while it erases this many rows; 0: it does everything in one run. */
  readonly limit: number
}

const rows = (name: string, run: (ctx: WriteContext, userId: number, limit: number) => Promise<number>, limit = ROWS): Step => ({
  name,
  limit,
  run: (ctx, userId) => run(ctx, userId, limit),
})

const all = (name: string, run: (ctx: WriteContext, userId: number) => Promise<void>): Step => ({
  name,
  limit: 0,
  run: async (ctx, userId) => {
    await run(ctx, userId)
    return 0
  },
})

/** A step for rows without counters or events: each statement changes at most `$2` rows of the account `$1`. */
const statements = (name: string, ...texts: readonly string[]): Step => {
  const runs = texts.map(statementRowCount)
  return rows(name, async ({ db }, userId, limit) => {
    let most = 0
    for (const run of runs) most = Math.max(most, await run(db, [userId, limit]))
    return most
  })
}
const someOf = (table: string, which: string) => `where id in (select id from ${table} where ${which} limit $2) returning id`
const remove = (table: string, which: string) => `delete from ${table} ${someOf(table, which)}`
const change = (table: string, set: string, which: string) => `update ${table} set ${set} ${someOf(table, which)}`

const which = (content: DeletionContent) => (content === 'remove' ? 'all' : 'unseen')

/** Erasure steps, in order. Content that earns points or causes notifications is erased before the points and notifications. */
export const STEPS: readonly Step[] = [
  all('access', endAccess),
  rows('follows', eraseSomeFollows),
  rows('spaces', leaveSomeSpaces),
  all('learning', eraseLearning),
  rows('reactions', eraseReactions, EVENT_ROWS),
  statements('bookmarks', remove('bookmarks', 'user_id = $1 order by id')),
  rows('votes', eraseVotes, EVENT_ROWS),
  { name: 'comments', limit: EVENT_ROWS, run: (ctx, userId, content) => eraseComments(ctx, userId, which(content), EVENT_ROWS) },
  { name: 'feeds', limit: FEEDS, run: (ctx, userId, content) => eraseFeeds(ctx, userId, which(content), FEEDS) },
  statements(
    'edits',
    remove('content_revisions', 'author_id = $1 order by id'),
    change('content_revisions', 'editor_id = null', 'editor_id = $1 order by id'),
  ),
  rows('media', eraseMedia),
  statements(
    'reports',
    remove('reports', 'reporter_id = $1 order by id'),
    // About deleted content: there is nothing left to decide.
    `delete from reports where id in (
       select r.id from reports r left join feeds f on r.object_type = 'feed' and f.id = r.object_id
       left join comments c on r.object_type = 'comment' and c.id = r.object_id
       where r.reported_user_id = $1 and f.id is null and c.id is null order by r.id limit $2) returning id`,
    // Reports about content that stays no longer quote it.
    change('reports', `title = '', excerpt = ''`, `reported_user_id = $1 and (title <> '' or excerpt <> '') order by id`),
  ),
  statements('activities', remove('activities', 'user_id = $1'), remove('activities', `object_type = 'user' and object_id = $1`)),
  rows('notifications', eraseNotifications),
  // Spaces and courses remain; administrators manage them.
  statements('owned spaces', change('spaces', 'created_by = null', 'created_by = $1 order by id')),
  statements(
    'owned courses',
    change('courses', 'created_by = null', 'created_by = $1 order by id'),
    change('courses', 'instructor_id = null', 'instructor_id = $1 order by id'),
  ),
  rows('answers', eraseIdempotentResponses),
  rows('points', erasePoints),
]

export const ERASURE_JOB = 'privacy.forget'

interface Progress {
  readonly user_id: number
  readonly content: DeletionContent
  readonly step: string
  /** Run all steps once more later, for rows written by requests that were in progress. */
  readonly again: boolean
}

const initialProgress = (userId: number, content: DeletionContent): Progress => ({
  user_id: userId,
  content,
  step: STEPS[0]!.name,
  again: true,
})

/** Runs one batch of one step and enqueues the next. If the process crashes in between, the job is retried. */
export const eraseInSteps = job<Progress>(ERASURE_JOB, async (ctx, progress) => {
  const { user_id, content, again } = progress
  const at = Math.max(
    0,
    STEPS.findIndex(({ name }) => name === progress.step),
  )
  const step = STEPS[at]!
  const taken = await step.run(ctx, user_id, content)
  const next = step.limit > 0 && taken >= step.limit ? step : STEPS[at + 1]
  if (next) await ctx.enqueue(ERASURE_JOB, { ...progress, step: next.name })
  else if (again)
    await ctx.enqueue(ERASURE_JOB, { ...initialProgress(user_id, content), again: false }, { runAt: shift(ctx.now, SECOND_ROUND_S) })
})
