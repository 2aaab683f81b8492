import { webhookDisabledMail } from '@lyceum/mail/transactional-mails'
import { isMailAddress } from '@lyceum/mail/transport'
import type { WriteContext } from '../../core/context.ts'
import { outgoing } from '../../jobs/index.ts'
import { accountById, activeAdmins, recipient } from '../accounts/index.ts'
import { audit } from '../audit/index.ts'
import { disableWebhook, type Webhook } from './queries.ts'

const WEBHOOKS_PATH = '/admin/webhooks'
/** Maximum number of administrators notified by mail. */
const MOST_ADMINS = 50

export const mailDisabled = outgoing<{ admin_id: number; name: string }>('webhooks.mail_given_up', async (services, { admin_id, name }) => {
  const admin = await accountById(services.database.read, [admin_id])
  if (admin?.status !== 'active' || !isMailAddress(admin.email)) return
  const { about, send } = await recipient(services, admin)
  await send(admin.email, webhookDisabledMail({ ...about, url: services.origin() + WEBHOOKS_PATH, webhook: name }))
})

export const disableWithoutAccess = async (
  ctx: WriteContext,
  { id, name, created_by }: Pick<Webhook, 'id' | 'name' | 'created_by'>,
): Promise<void> => {
  const reason =
    'Switched off: the account that made it may not manage such webhooks any more. An administrator who saves it takes it over.'
  if (!(await disableWebhook(ctx.db, [id, reason, ctx.now]))) return
  await audit(ctx, 'webhook.disabled', { object_type: 'webhook', object_id: id, details: { name, author_id: created_by } })
}

/** Disables a webhook whose endpoint has been failing for days, and notifies the administrators. */
export const disableFailing = async (ctx: WriteContext, { id, name }: Pick<Webhook, 'id' | 'name'>): Promise<void> => {
  if (!(await disableWebhook(ctx.db, [id, 'Disabled: nothing could be delivered for three days.', ctx.now]))) return
  await audit(ctx, 'webhook.given_up', { object_type: 'webhook', object_id: id, details: { name } })
  for (const admin of (await activeAdmins(ctx.db)).slice(0, MOST_ADMINS)) await ctx.enqueue(mailDisabled.name, { admin_id: admin, name })
}
