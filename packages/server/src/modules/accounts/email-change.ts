import type { WriteContext, WriteRequest } from '../../core/context.ts'
import { ApiError } from '../../core/errors.ts'
import { type Db, lockRow, statement, statementOne, type TokenRow } from '../../db/index.ts'
import { emailTaken } from './accounts.ts'
import { mailEmailChanged, mailNewAddress } from './mail.ts'
import { issueToken } from './one-time-links.ts'
import { accountByEmail, accountById, deleteTokens, isEmailReserved, setEmail } from './queries.ts'

/** Whether another account has this address or may still undo a change and get it back. */
const isTaken = async (db: Db, email: string, userId: number, now: string): Promise<boolean> => {
  const owner = await accountByEmail(db, [email])
  return (owner !== undefined && owner.id !== userId) || (await isEmailReserved(db, [email, now, userId]))
}

/** Starts a change that needs confirmation by the new address. It does not reserve the address and replaces an earlier pending change. */
export const requestEmailChange = async ({ db, now, enqueue }: WriteContext, userId: number, email: string): Promise<void> => {
  await deleteTokens(db, [userId, 'email'])
  // This token is discarded; the mail job creates the real one, so that its plain text is never stored.
  await issueToken(db, 'email', userId, now, email)
  await enqueue(mailNewAddress.name, { user_id: userId, email })
}

/**
 * Changes the address. The former address is notified and can undo the change for a week. The caller must hold the account's row lock.
 * @throws email_taken
 */
export const applyEmailChange = async (ctx: WriteContext, userId: number, before: string, email: string): Promise<void> => {
  const { db, now, enqueue } = ctx
  if (await isTaken(db, email, userId, now)) throw emailTaken()
  await setEmail(db, [userId, email])
  // A link mailed to the former address must no longer give access to the account.
  await deleteTokens(db, [userId, 'reset'])
  await deleteTokens(db, [userId, 'email'])
  await issueToken(db, 'undo', userId, now, before)
  await enqueue(mailEmailChanged.name, { user_id: userId, email: before, undo: true })
}

type EmailChange = Pick<TokenRow, 'created_at'> & { readonly user_id: number; readonly email: string }

const CHANGE = 'where hash = $1 and purpose = $2 and expires_at > $3 and email is not null'
const changeByHash = statementOne<EmailChange>(`select user_id, email, created_at from tokens ${CHANGE}`)
const consume = statementOne<EmailChange>(`delete from tokens ${CHANGE} returning user_id, email, created_at`)

/** Consumes a link and locks its account. @throws invalid_token */
export const consumeEmailChange = async ({ db, now }: Pick<WriteRequest, 'db' | 'now'>, hash: string | null, purpose: 'email' | 'undo') => {
  const found = hash === null ? undefined : await changeByHash(db, [hash, purpose, now])
  if (!found) throw new ApiError('invalid_token')
  await lockRow(db, 'users', found.user_id)
  const taken = await consume(db, [hash, purpose, now])
  const account = taken && (await accountById(db, [taken.user_id]))
  if (!account || account.status === 'deleted') throw new ApiError('invalid_token')
  return { account, email: taken.email, changedAt: taken.created_at }
}

const dropLaterUndos = statement(`delete from tokens where user_id = $1 and purpose = 'undo' and created_at >= $2`)

/** Restores a former address. Later changes can no longer be undone: an attacker may have made them. */
export const restoreEmail = async ({ db, now }: Pick<WriteContext, 'db' | 'now'>, userId: number, email: string, changedAt: string) => {
  if (await isTaken(db, email, userId, now)) throw emailTaken()
  await dropLaterUndos(db, [userId, changedAt])
  await setEmail(db, [userId, email])
}
