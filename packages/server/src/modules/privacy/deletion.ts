import type { DeletionContent } from '@lyceum/contract'
import { nowOf, shift } from '../../core/clock.ts'
import type { Actor, Services, WriteContext } from '../../core/context.ts'
import { lockName, lockRow, statementExists } from '../../db/index.ts'
import { accountById, eraseAccountRow, expireExportsOf, MANAGERS_LOCK, requireAnotherAdmin } from '../accounts/index.ts'
import { detachMedia } from '../media/index.ts'
import { ERASURE_JOB, initialProgress, SECOND_ROUND_S } from './erasure-job.ts'
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
  const { username, display_name, email } = account
  await enqueue(clearOutbox.name, { email, username, display_name }, { runAt: shift(ctx.now, SECOND_ROUND_S) })
  await enqueue(mailDeleted.name, { email, username, display_name, content, by_admin: by !== undefined })
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
