import { reportMail, reportTitle } from '@lyceum/mail/transactional-mails'
import { isMailAddress } from '@lyceum/mail/transport'
import { actorFor, actorsFor } from '../../auth/authenticate.ts'
import type { Services } from '../../core/context.ts'
import { on, outgoing } from '../../jobs/index.ts'
import { OutboundError } from '../../outbound/index.ts'
import { accountById, recipient } from '../accounts/index.ts'
import { readConfig } from '../automod/index.ts'
import { hasFeature, readSetting } from '../settings/index.ts'
import { activeManagers, mayHandleReport, type ReportRow, reportBy, reportsOf } from './queries.ts'

const urlOf = (origin: string, { id }: ReportRow): string => `${origin}/moderation/reports/${id}`

/** The report, if it is still undecided. */
const openReport = async ({ database }: Services, id: number): Promise<ReportRow | undefined> => {
  const report = await reportBy(database.read, [id])
  return report?.status === 'pending' && (await hasFeature(database.read, 'moderation')) ? report : undefined
}

interface MailJob {
  readonly report_id: number
  readonly user_id: number
}

/** Mails one moderator, if they may still handle the report. */
export const mailReport = outgoing<MailJob>('moderation.mail_report', async (services, { report_id, user_id }) => {
  const { database } = services
  const report = await openReport(services, report_id)
  const [actor, account] = [await actorFor(database.read, user_id), await accountById(database.read, [user_id])]
  if (!report || !actor || !account || !mayHandleReport(actor, 'resolve_reports', report) || !isMailAddress(account.email)) return
  const { about, send } = await recipient(services, account)
  await send(account.email, reportMail({ ...about, report, url: urlOf(services.origin(), report) }))
})

const TEMPORARY_STATUSES = new Set([408, 425, 429])

/** Posts to the chat, without the content or its location, because people other than moderators may read it. */
export const chatReport = outgoing<{ report_id: number }>('moderation.chat_report', async (services, { report_id }) => {
  const report = await openReport(services, report_id)
  const { chat_webhook: url } = (await readConfig(services.database.read)).moderator_notifications
  if (!report || url === '') return
  const text = `${reportTitle(report, await readSetting(services.database.read, 'language'))}. ${urlOf(services.origin(), report)}`
  const body = JSON.stringify({ text, content: text, allowed_mentions: { parse: [] } })
  try {
    const headers = { 'content-type': 'application/json' }
    // The status is sufficient; a failure while reading the body must not repeat the message.
    const { status } = await services.outbound.request(url, { method: 'POST', headers, body, maxBytes: 64 * 1024, cut: true })
    if (status < 300) return
    if (status < 500 && !TEMPORARY_STATUSES.has(status))
      services.log.warn({ event: 'moderation_chat_rejected', status, report_id }, 'moderation chat rejected the message')
    else throw new Error(`the chat answered ${status}`)
  } catch (error) {
    // What may not be reached now may not be reached later either.
    if (!(error instanceof OutboundError && error.reason === 'refused')) throw error
    services.log.warn({ event: 'moderation_chat_blocked', err: error, report_id }, 'connection to the moderation chat is not allowed')
  }
})

/** Enqueues a mail to each moderator who may handle a new report, and a chat message, as configured. */
export const notifyModerators = on('report.created', 'moderation.tell_moderators', async ({ db, enqueueEach }, events) => {
  const reports = await reportsOf(db, events)
  const { email_on_report: mails, chat_webhook: chat } = (await readConfig(db)).moderator_notifications
  if (chat !== '')
    await enqueueEach(
      chatReport.name,
      reports.map(({ id }) => ({ report_id: id })),
    )
  if (!mails) return
  const moderators = [...(await actorsFor(db, await activeManagers(db))).values()]
  const jobs = reports.flatMap((report) =>
    moderators
      .filter((actor) => mayHandleReport(actor, 'resolve_reports', report) && actor.id !== report.reporter_id)
      .map(({ id }): MailJob => ({ report_id: report.id, user_id: id })),
  )
  await enqueueEach(mailReport.name, jobs)
})
