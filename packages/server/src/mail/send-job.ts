import type { Services } from '../core/context.ts'
import { MailError, type MailMessage } from './transport.ts'

/**
 * Sends a mail out of an outgoing job. What another try cannot help is logged and given up: a refused recipient stays refused.
 * @throws MailError when it may be tried again
 */
export const deliverMail = async ({ mailer, log }: Pick<Services, 'mailer' | 'log'>, message: MailMessage): Promise<void> => {
  try {
    await mailer.send(message)
  } catch (error) {
    if (!(error instanceof MailError && error.permanent)) throw error
    log.warn({ event: 'mail_rejected', err: error }, 'mail rejected')
  }
}
