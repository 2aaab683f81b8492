import type { ReportAction } from '@lyceum/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeSpace, type Space } from '#test/fixtures.ts'
import { type Mailbox, startMailbox } from '#test/mailbox.ts'
import { createWorld, type Member, type World } from '#test/world.ts'

let mailbox: Mailbox
let world: World
let admin: Member
let moderator: Member
let author: Member
let ana: Member
let ben: Member
let space: Space

beforeAll(async () => {
  mailbox = await startMailbox()
  world = await createWorld({ env: { LYCEUM_SMTP_URL: mailbox.url } })
  admin = await world.member({ role: 'admin' })
  moderator = await world.member({ role: 'moderator', username: 'mod-who-decides' })
  author = await world.member({ username: 'author' })
  ana = await world.member({ username: 'ana-who-reports' })
  ben = await world.member({ username: 'ben-who-reports' })
  space = await makeSpace(world, { privacy: 'secret', members: [author, ana, ben] })
})
afterAll(async () => {
  await world.close()
  await mailbox.close()
})

const post = async (message: string, title?: string) =>
  (await author.api.feeds.create({ message, space_id: space.id, ...(title && { title }) })).data
type Told = 'feed' | 'comment' | 'user'
const report = async (who: Member, object_id: number, object_type: Told = 'feed', reason: 'spam' | 'other' | 'harassment' = 'spam') =>
  (await who.api.moderation.report({ object_id, object_type, reason, description: 'Between us' })).id
const decide = async (report_id: number, status: 'reviewed' | 'resolved' | 'dismissed', action_taken?: ReportAction) => {
  await moderator.api.moderation.update({ report_id, status, moderator_note: 'Internal', ...(action_taken && { action_taken }) })
  await world.runPendingJobs()
}
/** Notifications from moderators to a member about one object, newest first. */
const told = async (who: Member, object_type: string, object_id: number) =>
  (await who.api.notifications.list({ per_page: 100, type: 'moderation' })).notifications.data.filter(
    (notice) => notice.object_type === object_type && notice.object_id === object_id,
  )

describe('the author', () => {
  test('is notified that a reported post was deleted, which one, and why', async () => {
    const { id } = await post('Cheap shoes', 'Shoes')
    await decide(await report(ana, id, 'feed', 'spam'), 'resolved', 'content_removed')
    expect(await told(author, 'feed', id)).toMatchObject([
      { title: 'Your post “Shoes” was removed', message: 'A moderator removed it because of a report for spam.', is_read: false },
    ])
  })

  test('is notified of a deleted comment, quoting it', async () => {
    const { id } = await post('A post')
    const { data: comment } = await author.api.comments.create({ feed_id: id, comment: 'You are **silly**' })
    await decide(await report(ana, comment.id, 'comment', 'harassment'), 'resolved', 'content_removed')
    expect(await told(author, 'comment', comment.id)).toMatchObject([
      { title: 'Your comment “You are silly” was removed', message: 'A moderator removed it because of a report for harassment.' },
    ])
  })

  test('is notified once for several reports, without their texts', async () => {
    const { id } = await post('Nonsense')
    await report(ben, id, 'feed', 'other')
    const first = await report(ana, id, 'feed', 'other')
    await decide(first, 'resolved', 'content_removed')
    await decide(first, 'resolved', 'content_removed')
    expect(await told(author, 'feed', id)).toMatchObject([{ message: 'A moderator removed it because of a report.' }])
  })

  test('is not notified if the content was deleted already or left unchanged', async () => {
    const [gone, good] = [await post('Gone'), await post('Good')]
    const one = await report(ana, gone.id)
    await author.api.feeds.remove({ feed_id: gone.id })
    await decide(one, 'resolved', 'content_removed')
    await decide(await report(ana, good.id), 'dismissed')
    expect(await told(author, 'feed', gone.id)).toEqual([])
    expect(await told(author, 'feed', good.id)).toEqual([])
  })

  test('is notified of the reason from the queue; a note takes precedence', async () => {
    const [one, two] = [await post('One'), await post('Two')]
    for (const { id } of [one, two]) {
      await report(ana, id)
      await moderator.api.feeds.update({ feed_id: id, status: 'pending' })
    }
    await moderator.api.moderation.decideFeed({ feed_id: one.id, decision: 'reject' })
    await moderator.api.moderation.decideFeed({ feed_id: two.id, decision: 'reject', note: 'Not in this space.' })
    await world.runPendingJobs()
    const words = async (id: number) => (await told(author, 'feed', id)).map(({ title, message }) => [title, message])
    expect(await words(one.id)).toEqual([['Your post “One” was removed', 'A moderator removed it because of a report for spam.']])
    expect(await words(two.id)).toEqual([['Your post “Two” was removed', 'Not in this space.']])
  })

  test.each(['pending', 'spam'] as const)('is notified that a moderator set it to %s, with a link', async (status) => {
    const { id, slug } = await post('Hidden')
    const { data: comment } = await author.api.comments.create({ feed_id: (await post('Place')).id, comment: 'Hidden' })
    await moderator.api.feeds.update({ feed_id: id, status })
    await moderator.api.comments.update({ feed_id: comment.post_id, comment_id: comment.id, status })
    await world.runPendingJobs()
    expect(await told(author, 'feed', id)).toMatchObject([{ title: 'Your post was hidden', action_url: expect.stringContaining(slug) }])
    expect(await told(author, 'comment', comment.id)).toMatchObject([
      { title: 'Your comment was hidden', action_url: expect.stringContaining(`comment_id=${comment.id}`) },
    ])
  })

  test('is not notified if it was released before the job ran, or if they hid it themselves', async () => {
    const { id } = await post('Here and there')
    await moderator.api.feeds.update({ feed_id: id, status: 'pending' })
    await moderator.api.feeds.update({ feed_id: id, status: 'published' })
    const { id: own } = (await moderator.api.feeds.create({ message: 'Mine' })).data
    await moderator.api.feeds.update({ feed_id: own, status: 'pending' })
    await world.runPendingJobs()
    expect(await told(author, 'feed', id)).toEqual([])
    expect(await told(moderator, 'feed', own)).toEqual([])
  })

  test('gets a mail as well', async () => {
    await mailbox.take()
    const { id } = await post('Cheap watches', 'Watches')
    await decide(await report(ana, id), 'resolved', 'content_removed')
    world.clock.advance(180)
    await world.runPendingJobs()
    const mails = (await mailbox.take()).filter(({ mail }) => mail.subject === 'Your post “Watches” was removed')
    expect(mails.map(({ to }) => to)).toEqual([author.email])
    const words = JSON.stringify(mails[0]?.mail)
    expect(words).toContain('because of a report for spam')
    for (const { username } of [ana, moderator]) expect(words).not.toContain(username)
  })
})

describe('the reporter', () => {
  test.each([
    ['resolved', 'content_removed', 'A moderator looked at it and removed it.'],
    ['resolved', 'warning', 'A moderator agrees with you and has done what was needed.'],
    ['dismissed', undefined, 'A moderator looked at it and found nothing that is against the rules.'],
    ['reviewed', undefined, 'A moderator has looked at it.'],
  ] as const)('is notified that it was %s, %s', async (status, action, words) => {
    const id = await report(ana, (await post('Something')).id)
    await decide(id, status, action)
    expect(await told(ana, 'report', id)).toMatchObject([
      { title: 'The moderators have dealt with your report', message: `You reported a post for spam. ${words} Thank you for your report.` },
    ])
  })

  test('learns no details about measures against a person', async () => {
    const bad = await world.member()
    const id = await report(ana, bad.id, 'user', 'harassment')
    await admin.api.moderation.update({ report_id: id, status: 'resolved', action_taken: 'user_suspended' })
    await world.runPendingJobs()
    expect(await told(ana, 'report', id)).toMatchObject([
      {
        message: expect.stringMatching(
          /^You reported a person for harassment\. A moderator agrees with you and has done what was needed\./,
        ),
      },
    ])
  })

  test('is notified once per decision, and not before one', async () => {
    const { id: feed } = await post('Something')
    const id = await report(ana, feed)
    await report(ana, feed, 'feed', 'harassment')
    await world.runPendingJobs()
    expect(await told(ana, 'report', id)).toEqual([])
    for (const status of ['reviewed', 'reviewed', 'dismissed', 'reviewed', 'resolved'] as const) await decide(id, status)
    expect(await told(ana, 'report', id)).toHaveLength(3)
  })

  test('is also notified if another report, the queue or an approval decided it', async () => {
    const [removed, rejected, approved] = [await post('Removed'), await post('Rejected'), await post('Approved')]
    const [second, third, fourth] = [await report(ben, removed.id), await report(ben, rejected.id), await report(ben, approved.id)]
    await decide(await report(ana, removed.id), 'resolved', 'content_removed')
    for (const [{ id }, decision] of [
      [rejected, 'reject'],
      [approved, 'approve'],
    ] as const) {
      await moderator.api.feeds.update({ feed_id: id, status: 'pending' })
      await moderator.api.moderation.decideFeed({ feed_id: id, decision })
    }
    await world.runPendingJobs()
    for (const id of [second, third])
      expect(await told(ben, 'report', id)).toMatchObject([{ message: expect.stringContaining('and removed it.') }])
    expect(await told(ben, 'report', fourth)).toMatchObject([{ message: expect.stringContaining('nothing that is against the rules') }])
  })

  test('gets no mail of its own', async () => {
    await mailbox.take(ben.email)
    const id = await report(ben, (await post('Something')).id)
    await decide(id, 'dismissed')
    world.clock.advance(180)
    await world.runPendingJobs()
    expect(await told(ben, 'report', id)).toHaveLength(1)
    expect(await mailbox.take(ben.email)).toEqual([])
  })

  test('is not notified of their own decision', async () => {
    const id = await report(moderator, (await post('Something')).id)
    await decide(id, 'resolved', 'content_removed')
    expect(await told(moderator, 'report', id)).toEqual([])
  })
})

test('the reporter, the moderator and their notes are never revealed', async () => {
  const { id } = await post('Something', 'Unnamed')
  await decide(await report(ana, id), 'resolved', 'content_removed')
  expect(await told(author, 'feed', id)).toHaveLength(1)
  for (const [who, others] of [
    [author, [ana, ben, moderator, admin]],
    [ana, [author, ben, moderator, admin]],
  ] as const) {
    const notices = (await who.api.notifications.list({ per_page: 100, type: 'moderation' })).notifications.data
    expect(new Set(notices.map(({ actor_id, xprofile }) => `${actor_id} ${xprofile.username}`))).toEqual(
      new Set([`${who.id} ${who.username}`]),
    )
    const words = JSON.stringify(notices)
    for (const secret of ['Between us', 'Internal', ...others.map(({ username }) => username)]) expect(words).not.toContain(secret)
  }
})
