import { isMailAddress, MailError, type MailMessage } from '@lyceum/mail/transport'
import type { Services } from '../core/context.ts'

/**
 * Sends a mail from an outgoing job. Permanent failures, such as a rejected recipient, are logged and not retried.
 * @throws MailError if another attempt may succeed
 */
export const deliverMail = async ({ mailer, log }: Pick<Services, 'mailer' | 'log'>, message: MailMessage): Promise<void> => {
  // Imported accounts may have no address.
  if (!isMailAddress(message.to)) return
  try {
    await mailer.send(message)
  } catch (error) {
    if (!(error instanceof MailError && error.permanent)) throw error
    log.warn({ event: 'mail_rejected', err: error }, 'mail rejected')
  }
}
