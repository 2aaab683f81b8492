import { layout, type MailContent } from '@lyceum/mail/layout'
import { MailError } from '@lyceum/mail/transport'
import { nowOf } from '../../../core/clock.ts'
import { statementOne } from '../../../db/index.ts'
import { on, outgoing } from '../../../jobs/index.ts'
import { readSetting } from '../../settings/index.ts'

/** With this number of attempts, retries end after about half a day, when a reminder is no longer useful. */
const ATTEMPTS = 8

interface DueFeed {
  readonly title: string
  readonly scheduled_at: string
  readonly email: string
  readonly username: string
}

const loadDue = statementOne<DueFeed>(
  `select f.title, f.scheduled_at, u.email, u.username from feeds f join users u on u.id = f.user_id
   where f.id = $1 and f.status = 'scheduled' and f.scheduled_at <= $2 and u.status = 'active'`,
)

const reminderMail = ({ title, scheduled_at, username }: DueFeed, community: string, url: string): MailContent => ({
  subject: `Time to publish your post at ${community}`,
  ...layout({
    title: 'Your post is due',
    paragraphs: [
      title ? `You planned to publish “${title}” at ${scheduled_at} UTC.` : `You planned to publish a post at ${scheduled_at} UTC.`,
      'It is not published by itself, as you wished: publish it when you are ready, or give it another time.',
    ],
    action: { label: `Open ${community}`, url },
    footer: `You received this email because of your account “${username}” at ${community}.`,
  }),
})

/** Reminds the author of a feed that is due but must be published manually. */
export const mailReminder = outgoing<{ feed_id: number }>(
  'scheduled.remind',
  async ({ database, clock, origin, mailer, log }, { feed_id }) => {
    const due = await loadDue(database.read, [feed_id, nowOf(clock)])
    if (!due) return
    try {
      await mailer.send({ to: due.email, ...reminderMail(due, await readSetting(database.read, 'site_name'), origin()) })
    } catch (error) {
      // A permanently rejected recipient stays rejected.
      if (!(error instanceof MailError && error.permanent)) throw error
      log.warn({ event: 'reminder_mail_rejected', err: error }, 'reminder mail was rejected')
    }
  },
  ATTEMPTS,
)

export const remindOfDue = on('feed.due', 'scheduled.note', (ctx, feeds) =>
  ctx.enqueueEach(
    'scheduled.remind',
    feeds.map(({ feed_id }) => ({ feed_id })),
  ),
)
