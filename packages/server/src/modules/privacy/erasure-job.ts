import type { DeletionContent } from '@lyceum/contract'
import { shift } from '../../core/clock.ts'
import type { WriteContext } from '../../core/context.ts'
import { job } from '../../jobs/index.ts'
import { endAccess, eraseIdempotentResponses } from '../accounts/index.ts'
import { eraseActivities } from '../activities/index.ts'
import { eraseSignInFailures } from '../audit/index.ts'
import { eraseBookmarks } from '../bookmarks/index.ts'
import { eraseComments } from '../comments/index.ts'
import { detachCourses } from '../courses/index.ts'
import { eraseFeeds, eraseVotes } from '../feeds/index.ts'
import { eraseSomeFollows } from '../followers/index.ts'
import { erasePoints } from '../leaderboard/index.ts'
import { eraseMedia } from '../media/index.ts'
import { eraseReports } from '../moderation/index.ts'
import { eraseDevices, eraseNotifications, erasePreferences } from '../notifications/index.ts'
import { eraseLearning } from '../progress/index.ts'
import { eraseReactions } from '../reactions/index.ts'
import { eraseRevisions } from '../revisions/index.ts'
import { disownSpaces, leaveSomeSpaces } from '../spaces/index.ts'

/** Rows per transaction. Fewer where deletions cascade or emit events. */
const ROWS = 200
const EVENT_ROWS = 50
const FEEDS = 10

/** By then, all requests that started before the deletion have ended. */
export const SECOND_ROUND_S = 600

interface Step {
  readonly name: string
  /** Returns how many rows were erased. */
  readonly run: (ctx: WriteContext, userId: number, content: DeletionContent) => Promise<number>
  /** The step is repeated while it erases this many rows; 0: it does everything in one run. */
  readonly limit: number
}

const rows = (name: string, run: (ctx: WriteContext, userId: number, limit: number) => Promise<number>, limit = ROWS): Step => ({
  name,
  limit,
  run: (ctx, userId) => run(ctx, userId, limit),
})

const which = (content: DeletionContent) => (content === 'remove' ? 'all' : 'unseen')

/** Erasure steps, in order. Content that earns points or causes notifications is erased before the points and notifications. */
const STEPS: readonly Step[] = [
  {
    name: 'access',
    limit: 0,
    run: async (ctx, userId) => {
      await endAccess(ctx, userId)
      await eraseDevices(ctx, userId)
      await erasePreferences(ctx, userId)
      await eraseSignInFailures(ctx, userId)
      return 0
    },
  },
  rows('follows', eraseSomeFollows),
  rows('spaces', leaveSomeSpaces),
  {
    name: 'learning',
    limit: 0,
    run: async (ctx, userId) => {
      await eraseLearning(ctx, userId)
      return 0
    },
  },
  rows('reactions', eraseReactions, EVENT_ROWS),
  rows('bookmarks', eraseBookmarks),
  rows('votes', eraseVotes, EVENT_ROWS),
  { name: 'comments', limit: EVENT_ROWS, run: (ctx, userId, content) => eraseComments(ctx, userId, which(content), EVENT_ROWS) },
  { name: 'feeds', limit: FEEDS, run: (ctx, userId, content) => eraseFeeds(ctx, userId, which(content), FEEDS) },
  rows('edits', eraseRevisions),
  rows('media', eraseMedia),
  rows('reports', eraseReports),
  rows('activities', eraseActivities),
  rows('notifications', eraseNotifications),
  rows('owned spaces', disownSpaces),
  rows('owned courses', detachCourses),
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

export const initialProgress = (userId: number, content: DeletionContent): Progress => ({
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
