import { digestMail } from '@lyceum/mail/notifications'
import { isMailAddress } from '@lyceum/mail/transport'
import { actorFor } from '../../../auth/authenticate.ts'
import { nowOf, parseTimestamp, shift } from '../../../core/clock.ts'
import type { WriteContext } from '../../../core/context.ts'
import { statement, statementOne } from '../../../db/index.ts'
import { on, outgoing } from '../../../jobs/index.ts'
import { deliverMail } from '../../../mail/send-job.ts'
import { idsOf } from '../../../util/distinct.ts'
import { languageFor, mailIdentity, readSettings } from '../../settings/index.ts'
import { preferencesOf } from '../preferences.ts'
import { digestContents } from './digest-content.ts'
import { DIGEST_JOB, type DigestJob, scheduleDigests } from './digest-scheduler.ts'
import { periodOf } from './digest-time.ts'
import { recipientOf } from './queries.ts'
import { preferencesUrl } from './unsubscribe.ts'
import { unsubscribeUrl } from './unsubscribe-token.ts'

const DAY_S = 24 * 3600
/** Members inactive for this long get no digests. */
const MAX_INACTIVITY_S = 365 * DAY_S
/** Maximum period a digest covers, however long ago the last one was sent. */
const MAX_PERIOD_S = 31 * DAY_S

const sentAt = statementOne<{ sent_at: string | null }>('select sent_at from digest_schedules where user_id = $1')
const markSent = statement('update digest_schedules set sent_at = $2 where user_id = $1')

const latest = (...datetimes: readonly string[]) => datetimes.reduce((a, b) => (a > b ? a : b))

/** Sends one digest. Its content is computed when it is sent, so nothing is included that the recipient may no longer see. */
export const mailDigest = outgoing<DigestJob>(DIGEST_JOB, async (services, { user_id, frequency, slot }) => {
  const { database, clock, keys } = services
  const db = database.read
  const now = nowOf(clock)
  const { enable_email_notifications: enabled, timezone } = await readSettings(db, ['enable_email_notifications', 'timezone'])
  const actor = await actorFor(db, user_id)
  const to = await recipientOf(db, [user_id])
  const last = (await sentAt(db, [user_id]))?.sent_at ?? null
  if (!enabled || !actor || !to || !isMailAddress(to.email) || (last !== null && last >= slot)) return
  // The member may have unsubscribed since the job was added.
  if ((await preferencesOf(db, [user_id])).get(user_id)?.digest_frequency === 'never') return
  if ((to.last_activity ?? to.created_at) < shift(now, -MAX_INACTIVITY_S)) return

  const since = latest(last ?? shift(slot, -periodOf(frequency)), shift(now, -MAX_PERIOD_S))
  const lang = await languageFor(db, user_id)
  const contents = await digestContents({ services, db, actor, lang, since, until: now })
  if (!contents) return
  const { brand, sender } = await mailIdentity(services)
  const unsubscribe = unsubscribeUrl(services.origin(), keys.unsubscribing, { userId: user_id, kind: 'digest' })
  await deliverMail(services, {
    to: to.email,
    ...digestMail({
      ...contents,
      brand,
      lang,
      frequency,
      displayName: to.display_name,
      at: parseTimestamp(now),
      timeZone: timezone,
      preferences: preferencesUrl(services.origin()),
      unsubscribe,
    }),
    sender,
    unsubscribeUrl: unsubscribe,
  })
  await database.write((tx) => markSent(tx, [user_id, now]))
})

const reschedule = (ctx: WriteContext, users: readonly { readonly user_id: number }[]) => scheduleDigests(ctx, idsOf(users, 'user_id'))

export const digestListeners = [
  on('user.registered', 'delivery.plan_digest', reschedule),
  on('user.preferences_changed', 'delivery.replan_digest', reschedule),
]
