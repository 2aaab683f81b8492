import type { Language, MAIL_TEXTS } from '@lyceum/contract'
import type { Brand } from '@lyceum/mail/layout'
import type { Sender } from '@lyceum/mail/transport'
import type { Services } from '../../core/context.ts'
import { type Db, statementOne } from '../../db/index.ts'
import { readPage } from './page-schemas.ts'
import { readSetting, readSettings } from './repository.ts'

/** Branding, sender and reply address of the community's mails, and the language of people who have chosen none. */
export const mailIdentity = async ({
  database: { read },
  origin,
}: Pick<Services, 'database' | 'origin'>): Promise<{ readonly brand: Brand; readonly sender: Sender; readonly lang: Language }> => {
  const [{ site_name, primary_color, from_name, from_email, admin_email, language }, page] = await Promise.all([
    readSettings(read, ['site_name', 'primary_color', 'from_name', 'from_email', 'admin_email', 'language']),
    readPage(read, 'email'),
  ])
  const answersTo = page.reply_to_email || admin_email
  return {
    lang: language,
    brand: { name: site_name, color: primary_color, url: origin(), ...(page.email_footer && { footer: page.email_footer }) },
    sender: {
      ...(from_name && { name: from_name }),
      ...(from_email && { address: from_email }),
      ...(answersTo && { replyTo: { name: page.reply_to_email ? page.reply_to_name : '', address: answersTo } }),
    },
  }
}

const languageOf = statementOne<{ lang: Language | '' }>('select lang from users where id = $1')

/** The language of mails and push messages to a member. */
export const languageFor = async (db: Db, userId: number): Promise<Language> =>
  (await languageOf(db, [userId]))?.lang || (await readSetting(db, 'language'))

/** Texts that replace a mail's defaults; empty ones are ignored. */
export const mailWords = async ({ database }: Pick<Services, 'database'>, mail: (typeof MAIL_TEXTS)[number]) =>
  (await readPage(database.read, 'mailTexts'))[mail]
