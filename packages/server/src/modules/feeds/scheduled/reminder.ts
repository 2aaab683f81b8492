import { postDueMail } from '@lyceum/mail/transactional-mails'
import { nowOf } from '../../../core/clock.ts'
import { statementOne } from '../../../db/index.ts'
import { on, outgoing } from '../../../jobs/index.ts'
import { type Account, recipient } from '../../accounts/index.ts'

/** With this number of attempts, retries end after about half a day, when a reminder is no longer useful. */
const ATTEMPTS = 8

interface DueFeed extends Pick<Account, 'email' | 'username' | 'display_name' | 'lang'> {
  readonly title: string
  readonly scheduled_at: string
}

const loadDue = statementOne<DueFeed>(
  `select f.title, f.scheduled_at, u.email, u.username, u.display_name, u.lang from feeds f join users u on u.id = f.user_id
   where f.id = $1 and f.status = 'scheduled' and f.scheduled_at <= $2 and u.status = 'active'`,
)

/** Reminds the author of a feed that is due but must be published manually. */
export const mailReminder = outgoing<{ feed_id: number }>(
  'scheduled.remind',
  async (services, { feed_id }) => {
    const { database, clock, origin } = services
    const due = await loadDue(database.read, [feed_id, nowOf(clock)])
    if (!due) return
    const { about, send } = await recipient(services, due)
    await send(due.email, postDueMail({ ...about, url: origin(), post: due.title, at: due.scheduled_at }))
  },
  ATTEMPTS,
)

export const remindOfDue = on('feed.due', 'scheduled.note', (ctx, feeds) =>
  ctx.enqueueEach(
    'scheduled.remind',
    feeds.map(({ feed_id }) => ({ feed_id })),
  ),
)
