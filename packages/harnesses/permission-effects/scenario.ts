import { PASSWORD } from '#test/session.ts'
import type { Stage } from './stage.ts'
import { hostileFrom, type Writing } from './writes.ts'

const HOUR = 3700
const DAY = 24 * 3600

let newcomers = 0

/** Runs due work, including delayed mails. */
const advance = async ({ world }: Stage, seconds = HOUR): Promise<void> => {
  await world.runPendingJobs()
  world.clock.advance(seconds)
  await world.runPendingJobs()
}

/** Each actor acts under a name and with texts they wrote; some of it is refused to some of them. */
const act = async (stage: Stage): Promise<void> => {
  const { holders, reader, scene } = stage
  const { data } = await reader.api.feeds.create({ message: 'What do you think?', space_id: scene.space.id })
  for (const who of Object.values(holders)) {
    const comment = await who.raw('POST', `/feeds/${data.id}/comments`, { comment: `To @${reader.username}` })
    await who.raw('POST', `/feeds/${data.id}/react`, { type: 'like' })
    await who.raw('POST', `/profile/${reader.username}/follow`)
    await who.raw('POST', '/moderation/report', { object_id: data.id, object_type: 'feed', reason: 'other', description: 'This' })
    if (comment.status === 201) await reader.raw('POST', `/feeds/${data.id}/comments`, { comment: 'Yes', parent_id: comment.body.data.id })
  }
  await advance(stage)
}

/** Moderator decisions with a custom text. */
const decide = async (stage: Stage, writing: Writing, round: number): Promise<void> => {
  const { holders, reader, owner, scene } = stage
  await owner.raw('PUT', '/settings', { moderate_posts: true })
  const { data } = await reader.api.feeds.create({ message: 'Held', space_id: scene.space.id })
  await owner.raw('PUT', '/settings', { moderate_posts: false })
  const note = hostileFrom(writing, 'resolve_reports', 'moderation.decideFeed note', round)
  await holders.resolve_reports.raw('POST', `/moderation/queue/feeds/${data.id}`, { decision: 'reject', note })
  await advance(stage)
}

/** Mails the server sends by itself, with default or custom texts. */
const runAccounts = async (stage: Stage, writing: Writing, round: number): Promise<void> => {
  const { world, owner, reader, holders } = stage
  newcomers += 1
  const body = (name: string) => ({ username: `${name}${newcomers}`, email: `${name}${newcomers}@example.org`, password: PASSWORD })
  const change = (settings: object) => owner.raw('PUT', '/settings', settings)
  await change({ allow_registration: true, require_email_verification: false, approval_required: false })
  await world.request('POST', '/auth/register', body('welcome'))
  await change({ approval_required: true })
  const { body: waiting } = await world.request('POST', '/auth/register', body('waiting'))
  await advance(stage)
  const reason = hostileFrom(writing, 'manage_members', 'registrations.reject reason', round)
  await holders.manage_members.raw('POST', `/admin/registrations/${waiting?.data?.id}/reject`, { reason })
  await reader.raw('POST', '/account/email', { current_password: PASSWORD, email: `changed${newcomers}@example.org` })
  await advance(stage, DAY)
  await change({ approval_required: false, require_email_verification: true })
  await world.request('POST', '/auth/register', body('verify'))
  await world.request('POST', '/auth/forgot-password', { login: reader.email })
  await reader.raw('POST', '/account/email', { current_password: PASSWORD, email: `next${newcomers}@example.org` })
  await advance(stage)
  await change({ require_email_verification: false })
  await reader.raw('POST', '/account/password', { current_password: PASSWORD, new_password: PASSWORD, keep_application_passwords: true })
  await reader.raw('POST', '/account/export')
  await advance(stage)
}

/** Triggers every channel by which texts reach people, for a week; the texts are enabled first. */
export const runScenario = async (stage: Stage, writing: Writing, round: number): Promise<void> => {
  const { owner, receiver, world } = stage
  await owner.raw('POST', '/admin/welcome-banner', { login: { enabled: 'yes' }, logout: { enabled: 'yes' } })
  await owner.raw('POST', '/moderation/config', {
    moderator_notifications: { chat_webhook: `${receiver.url}/chat`, email_on_report: true },
  })
  await advance(stage)
  await act(stage)
  await decide(stage, writing, round)
  await runAccounts(stage, writing, round)
  for (let day = 0; day < 8; day++) {
    world.clock.advance(DAY)
    await world.app.digests.run()
  }
  // People outside the space see the text of its landing page.
  await owner.api.spaces.updateById({ space_id: stage.scene.space.id, privacy: 'private' })
  await world.runPendingJobs()
}
