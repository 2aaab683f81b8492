import { actorFor, actorsFor } from '../../auth/authenticate.ts'
import type { Services } from '../../core/context.ts'
import { on, outgoing } from '../../jobs/index.ts'
import { type Letter, layout } from '../../mail/layout.ts'
import { greeting } from '../../mail/messages.ts'
import { deliverMail } from '../../mail/send-job.ts'
import { isMailAddress } from '../../mail/transport.ts'
import { OutboundError } from '../../outbound/index.ts'
import { accountById } from '../accounts/index.ts'
import { readConfig } from '../automod/index.ts'
import { hasFeature, mailIdentity } from '../settings/index.ts'
import { dealsWith } from './moderator-scope.ts'
import { activeManagers, type ReportRow, reportBy } from './queries.ts'

const OBJECTS = { feed: 'post', comment: 'comment', user: 'person' } as const

const headline = ({ object_type, reason }: ReportRow): string => `A ${OBJECTS[object_type]} was reported: ${reason.replaceAll('_', ' ')}`
const addressOf = (origin: string, { id }: ReportRow): string => `${origin}/moderation/reports/${id}`

/** The report, if it still waits for somebody. */
const openReport = async ({ database }: Services, id: number): Promise<ReportRow | undefined> => {
  const report = await reportBy(database.read, id)
  return report?.status === 'pending' && (await hasFeature(database.read, 'moderation')) ? report : undefined
}

/** To a moderator. What was reported is read behind the link, where it is asked who may. */
const reportMail = (
  report: ReportRow,
  { brand, displayName, origin }: { brand: Awaited<ReturnType<typeof mailIdentity>>['brand']; displayName: string; origin: string },
): Letter => {
  const title = headline(report)
  return {
    subject: `${title} · ${brand.name}`,
    ...layout({
      brand,
      title,
      paragraphs: [greeting(displayName), 'Somebody has reported something to the moderators. It waits for a decision.'],
      action: { label: 'View the report', url: addressOf(origin, report), spelled: false },
      footer: `You get this mail because you deal with reports at ${brand.name}.`,
    }),
  }
}

interface MailJob {
  readonly report_id: number
  readonly user_id: number
}

/** The mail to one of those who deal with reports; looks again at whether he still does. */
export const mailReport = outgoing<MailJob>('moderation.mail_report', async (services, { report_id, user_id }) => {
  const { database } = services
  const report = await openReport(services, report_id)
  const [actor, account] = [await actorFor(database.read, user_id), await accountById(database.read, user_id)]
  if (!report || !actor || !account || !dealsWith(actor, 'resolve_reports', report) || !isMailAddress(account.email)) return
  const origin = services.origin()
  const { brand, sender } = await mailIdentity(services)
  await deliverMail(services, { to: account.email, ...reportMail(report, { brand, displayName: account.display_name, origin }), sender })
})

const TEMPORARY = new Set([408, 425, 429])

/** The message to a chat. It says nothing of the content, nor where it stands: others than moderators may read along. */
export const chatReport = outgoing<{ report_id: number }>('moderation.chat_report', async (services, { report_id }) => {
  const report = await openReport(services, report_id)
  const { chat_webhook: url } = (await readConfig(services.database.read)).moderator_notifications
  if (!report || url === '') return
  const text = `${headline(report)}. ${addressOf(services.origin(), report)}`
  const body = JSON.stringify({ text, content: text, allowed_mentions: { parse: [] } })
  try {
    const headers = { 'content-type': 'application/json' }
    // The status says all: what was taken must not be told again for the length of the answer.
    const { status } = await services.outbound.request(url, { method: 'POST', headers, body, maxBytes: 64 * 1024, cut: true })
    if (status < 300) return
    if (status < 500 && !TEMPORARY.has(status)) services.log.warn({ status, report_id }, 'the chat refused a message')
    else throw new Error(`the chat answered ${status}`)
  } catch (error) {
    // What may not be reached now may not be reached later either.
    if (!(error instanceof OutboundError && error.reason === 'refused')) throw error
    services.log.warn({ err: error, report_id }, 'the chat may not be reached')
  }
})

/** Plans a message to each of those who deal with a new report, and one to the chat, where an administrator asked for it. */
export const notifyModerators = on('report.created', 'moderation.tell_moderators', async (ctx, { report_id }) => {
  const report = await reportBy(ctx.db, report_id)
  if (!report) return
  const { email_on_report: mails, chat_webhook: chat } = (await readConfig(ctx.db)).moderator_notifications
  if (chat !== '') await ctx.enqueue(chatReport.name, { report_id })
  if (!mails) return
  for (const actor of (await actorsFor(ctx.db, await activeManagers(ctx.db))).values())
    if (dealsWith(actor, 'resolve_reports', report) && actor.id !== report.reporter_id)
      await ctx.enqueue(mailReport.name, { report_id, user_id: actor.id } satisfies MailJob)
})
