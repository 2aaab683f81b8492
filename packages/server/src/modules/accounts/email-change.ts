import { shift } from '../../core/clock.ts'
import type { WriteContext, WriteRequest } from '../../core/context.ts'
import { ApiError } from '../../core/errors.ts'
import { type Db, lockRow, statement, statementOne } from '../../db/index.ts'
import { createToken, hashToken } from '../../secrets/token.ts'
import { mailEmailChanged, mailNewAddress } from './mail.ts'
import { UNDO_DAYS, VERIFY_HOURS } from './one-time-links.ts'
import { accountById, accountByLogin, addToken, dropTokens, heldAddress, setEmail } from './queries.ts'

/** Whether somebody else has that address, or may have it back. */
const isTaken = async (db: Db, email: string, userId: number, now: string): Promise<boolean> => {
  const owner = await accountByLogin(db, email)
  return (owner !== undefined && owner.id !== userId) || (await heldAddress(db, email, now, userId))
}

const emailTaken = () => new ApiError('email_taken', { data: { field: 'email' } })

/** Begins a change that waits until the new address is confirmed. It reserves nothing, and replaces one that was begun before. */
export const askForEmail = async ({ db, now, enqueue }: WriteContext, userId: number, email: string): Promise<void> => {
  await dropTokens(db, userId, 'email')
  // Nobody knows this token; the mail makes its own, so that it is stored nowhere.
  await addToken(db, {
    hash: hashToken(createToken()),
    purpose: 'email',
    userId,
    now,
    expiresAt: shift(now, VERIFY_HOURS * 3600),
    email,
  })
  await enqueue(mailNewAddress.name, { user_id: userId, email })
}

/**
 * Changes the address of an account, which is held by the caller. The former one is told, and can have it undone for a week.
 * @throws email_taken
 */
export const putEmail = async (ctx: WriteContext, userId: number, before: string, email: string): Promise<void> => {
  const { db, now, enqueue } = ctx
  if (await isTaken(db, email, userId, now)) throw emailTaken()
  await setEmail(db, userId, email, now)
  // A link that was mailed to the former address must not open the account any more.
  await dropTokens(db, userId, 'reset')
  await dropTokens(db, userId, 'email')
  await addToken(db, {
    hash: hashToken(createToken()),
    purpose: 'undo',
    userId,
    now,
    expiresAt: shift(now, UNDO_DAYS * 24 * 3600),
    email: before,
  })
  await enqueue(mailEmailChanged.name, { user_id: userId, email: before, undo: true })
}

interface Change {
  readonly user_id: number
  readonly email: string
  readonly created_at: string
}

const byHash = statementOne<Change>(
  'select user_id, email, created_at from tokens where hash = $1 and purpose = $2 and expires_at > $3 and email is not null',
)
const take = statementOne<Change>(
  `delete from tokens where hash = $1 and purpose = $2 and expires_at > $3 and email is not null returning user_id, email, created_at`,
)

/** Uses a link up; its account is held then. @throws invalid_token */
export const takeChange = async ({ db, now }: Pick<WriteRequest, 'db' | 'now'>, hash: string | null, purpose: 'email' | 'undo') => {
  const found = hash === null ? undefined : await byHash(db, [hash, purpose, now])
  if (!found) throw new ApiError('invalid_token')
  await lockRow(db, 'users', found.user_id)
  const taken = await take(db, [hash, purpose, now])
  const account = taken && (await accountById(db, taken.user_id))
  if (!account || account.status === 'deleted') throw new ApiError('invalid_token')
  return { account, email: taken.email, changedAt: taken.created_at }
}

const dropLaterUndos = statement(`delete from tokens where user_id = $1 and purpose = 'undo' and created_at >= $2`)

/** Gives an account its former address back. Changes that came after it can no longer be undone: they were not its owner's. */
export const restoreEmail = async ({ db, now }: Pick<WriteContext, 'db' | 'now'>, userId: number, email: string, changedAt: string) => {
  if (await isTaken(db, email, userId, now)) throw emailTaken()
  await dropLaterUndos(db, [userId, changedAt])
  await setEmail(db, userId, email, now)
}
