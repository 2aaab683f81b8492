import { type DeletionContent, EXPORT_DAYS } from '@lyceum/contract'
import { accountDeletedMail, exportReadyMail } from '@lyceum/mail/transactional-mails'
import { isMailAddress } from '@lyceum/mail/transport'
import { nowOf, shift } from '../../core/clock.ts'
import type { Services } from '../../core/context.ts'
import type { UserRow } from '../../db/index.ts'
import { deleteDeadLettered, outgoing } from '../../jobs/index.ts'
import { accountById, recipient } from '../accounts/index.ts'
import { downloadUrl, exportBy } from './export-queries.ts'

type Names = Pick<UserRow, 'email' | 'username' | 'display_name'>

/** Sent to the former address. The row no longer has it, so the job carries everything the mail needs. */
export const mailDeleted = outgoing<Names & { lang?: UserRow['lang']; content: DeletionContent; by_admin: boolean }>(
  'privacy.mail_deleted',
  async (services, { email, content, by_admin, ...who }) => {
    if (!isMailAddress(email)) return
    const { about, send } = await recipient(services, who)
    await send(email, accountDeletedMail({ ...about, content, byAdmin: by_admin }))
  },
)

/** Deletes the account's mails from the file outbox, including this last one, after a delay for the program that sends them. */
export const clearOutbox = outgoing<Names>('privacy.clear_outbox', async ({ mailer }, { email, username, display_name }) => {
  await mailer.forget([email, username, display_name])
})

/** How long the operator can retry failed mails. */
const DEAD_LETTER_RETENTION_S = 7 * 24 * 3600
/** Jobs whose input contains an address or a name. */
const PERSONAL_JOBS = [
  'privacy.mail_deleted',
  'privacy.clear_outbox',
  'registrations.mail_rejected',
  'accounts.mail_new_address',
  'accounts.mail_email_changed',
] as const

/** Deletes dead-lettered jobs that contain addresses; returns how many. */
export const deleteDeadLetters = ({ database, clock }: Services): Promise<number> =>
  database.write(async (db) => {
    let removed = 0
    for (const name of PERSONAL_JOBS) removed += await deleteDeadLettered(db, name, shift(nowOf(clock), -DEAD_LETTER_RETENTION_S))
    return removed
  })

export const mailReady = outgoing<{ export_id: number }>('privacy.mail_ready', async (services, { export_id }) => {
  const db = services.database.read
  const row = await exportBy(db, [export_id])
  const account = row && (await accountById(db, [row.user_id]))
  if (row?.status !== 'ready' || !account || account.status === 'deleted' || !isMailAddress(account.email)) return
  const { about, send } = await recipient(services, account)
  await send(account.email, exportReadyMail({ ...about, url: downloadUrl(row, services.origin()), validDays: EXPORT_DAYS }))
})
