import type { MAIL_TEXTS } from '@lyceum/contract'
import type { Brand } from '@lyceum/mail/layout'
import type { Sender } from '@lyceum/mail/transport'
import type { Services } from '../../core/context.ts'
import { readPage } from './page-schemas.ts'
import { readSettings } from './repository.ts'

/** Branding, sender and reply address of the community's mails. */
export const mailIdentity = async ({
  database: { read },
  origin,
}: Pick<Services, 'database' | 'origin'>): Promise<{ readonly brand: Brand; readonly sender: Sender }> => {
  const [{ site_name, primary_color, from_name, from_email, admin_email }, page] = await Promise.all([
    readSettings(read, ['site_name', 'primary_color', 'from_name', 'from_email', 'admin_email']),
    readPage(read, 'email'),
  ])
  const answersTo = page.reply_to_email || admin_email
  return {
    brand: { name: site_name, color: primary_color, url: origin(), ...(page.email_footer && { footer: page.email_footer }) },
    sender: {
      ...(from_name && { name: from_name }),
      ...(from_email && { address: from_email }),
      ...(answersTo && { replyTo: { name: page.reply_to_email ? page.reply_to_name : '', address: answersTo } }),
    },
  }
}

/** Texts that replace a mail's defaults; empty ones are ignored. */
export const mailWords = async ({ database }: Pick<Services, 'database'>, mail: (typeof MAIL_TEXTS)[number]) =>
  (await readPage(database.read, 'mailTexts'))[mail]
