import { approvalRequestedMail, rejectedMail } from '@lyceum/mail/transactional-mails'
import { isMailAddress } from '@lyceum/mail/transport'
import { lockUsers } from '../../../db/index.ts'
import { on, outgoing } from '../../../jobs/index.ts'
import { idsOf } from '../../../util/distinct.ts'
import { accountById, activeAdmins, recipient } from '../../accounts/index.ts'
import { notify } from '../../notifications/index.ts'
import { type PendingRegistration, waitingById, waitingByIds } from './queries.ts'

const WAITING_PATH = '/admin/registrations'

/** At most this many administrators are notified. */
const MAX_ADMINS = 50

export const mailRequest = outgoing<{ admin_id: number; user_id: number }>('registrations.mail_request', async (services, payload) => {
  const { read } = services.database
  const [admin, waiting] = [await accountById(read, [payload.admin_id]), await waitingById(read, [payload.user_id])]
  if (admin?.status !== 'active' || !waiting || !isMailAddress(admin.email)) return
  const { about, send } = await recipient(services, admin)
  await send(admin.email, approvalRequestedMail({ ...about, url: services.origin() + WAITING_PATH, applicant: waiting.username }))
})

/** The account is deleted before this is sent, so the job contains the data of the mail. */
export const mailRejected = outgoing<Pick<PendingRegistration, 'email' | 'username' | 'display_name'> & { reason: string }>(
  'registrations.mail_rejected',
  async (services, { email, reason, ...who }) => {
    const { about, send } = await recipient(services, who, 'rejected')
    if (isMailAddress(email)) await send(email, rejectedMail({ ...about, reason }))
  },
)

/** Notifies the administrators of registrations to approve. */
export const notifyAdmins = on('user.approval_requested', 'registrations.tell', async (ctx, events) => {
  const ids = idsOf(events, 'user_id')
  await lockUsers(ctx.db, ids)
  const pending = (await waitingByIds(ctx.db, ids)).filter(({ status }) => status === 'pending')
  const admins = (await activeAdmins(ctx.db)).slice(0, MAX_ADMINS)
  const notices = pending.flatMap(({ id, username }) => {
    const meta = { title: `@${username} requests to join`, message: 'Approve or reject the registration.', path: WAITING_PATH }
    const notice = { type: 'moderation', subject: `registration:user:${id}`, objectType: 'user', objectId: id, actorId: id, meta } as const
    return admins.map((userId) => ({ ...notice, userId }))
  })
  await notify(ctx, notices)
  await ctx.enqueueEach(
    mailRequest.name,
    notices.map(({ userId: admin_id, objectId: user_id }) => ({ admin_id, user_id })),
  )
})
