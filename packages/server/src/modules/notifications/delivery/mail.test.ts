import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { leaveSpace, makeSpace } from '#test/fixtures.ts'
import { type Mailbox, startMailbox } from '#test/mailbox.ts'
import { createWorld, type Member, type World } from '#test/world.ts'
import { type SettingChanges, saveSettings } from '../../settings/index.ts'

let mailbox: Mailbox
let world: World
beforeAll(async () => {
  mailbox = await startMailbox()
  world = await createWorld({ env: { LYCEUM_SMTP_URL: mailbox.url } })
})
afterAll(async () => {
  await world.close()
  await mailbox.close()
})

let made = 0
const people = async () => {
  made += 1
  const member = (name: string, displayName: string) => world.member({ username: `${name}${made}`, displayName })
  const [ana, ben, cleo] = await Promise.all([member('ana', 'Ana Lima'), member('ben', 'Ben <b>Okafor'), member('cleo', 'کلئو')])
  return { ana, ben, cleo } as { ana: Member; ben: Member; cleo: Member }
}
let ana: Member
let ben: Member
let cleo: Member
beforeEach(async () => {
  ;({ ana, ben, cleo } = await people())
  await world.runPendingJobs()
  await mailbox.take()
})

const post = async (who: Member, body: Record<string, unknown> = {}) =>
  (await who.api.feeds.create({ message: 'What shall we plant next to the tomatoes?', title: 'The bed by the wall', ...body })).data.id
const comment = async (who: Member, feed_id: number, text = 'Basil, **always** basil & more', parent_id?: number) =>
  (await who.api.comments.create({ feed_id, comment: text, ...(parent_id && { parent_id }) })).data.id

/** Runs due jobs, waits for the mail delay, and returns what has arrived. */
const mailsTo = async (who: Member) => {
  await world.runPendingJobs()
  world.clock.advance(120)
  await world.runPendingJobs()
  return mailbox.take(who.email)
}
const prefer = (who: Member, email_notifications: Record<string, boolean>) =>
  who.api.notifications.savePreferences({ username: 'me', email_notifications })
const save = (changes: SettingChanges) => world.app.write(null, (ctx) => saveSettings(ctx, changes))
const readAll = (who: Member) => who.api.notifications.markAllRead()

describe('a mail about a comment', () => {
  test('names the author and the text, identically in both parts, and how to unsubscribe', async () => {
    await comment(ben, await post(ana))
    await world.runPendingJobs()
    world.clock.advance(119)
    await world.runPendingJobs()
    expect(await mailbox.take(ana.email)).toEqual([])
    const [got, ...more] = await mailsTo(ana)
    expect(more).toEqual([])
    const { mail, headers } = got!
    expect(mail.subject).toBe('Ben <b>Okafor commented on your post “The bed by the wall”')
    expect(mail.from).toEqual({ name: 'Lyceum', address: 'lyceum@localhost' })
    const { text = '', html = '' } = mail
    for (const part of [text, html.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')]) {
      expect(part).toContain('Basil, always basil & more')
      expect(part).toContain('Ben <b>Okafor')
      expect(part).toContain('/feeds/the-bed-by-the-wall?comment_id=')
      expect(part).toContain('Read the comment')
      expect(part).toContain('somebody answered what you wrote')
      expect(part).toContain('/settings/notifications')
      expect(part).toContain('/unsubscribe/')
    }
    expect(html).not.toContain('<b>Okafor')
    expect(html).not.toMatch(/<(img|link|script|iframe)|url\(/i)
    const url = /<(http[^>]+)>/.exec(headers.get('list-unsubscribe') ?? '')?.[1]
    expect(url).toMatch(/\/unsubscribe\/\d+\.new_comment\.[\w-]{43}$/)
    expect(headers.get('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click')
    expect(headers.get('auto-submitted')).toBe('auto-generated')
    expect(text).toContain(url)
  })

  test('is threaded with others about the same feed', async () => {
    const feed = await post(ana)
    const first = await comment(ben, feed)
    const [one] = await mailsTo(ana)
    await comment(ana, feed, 'Thank you', first)
    const [two] = await mailsTo(ben)
    expect(two?.mail.subject).toMatch(/^Ana Lima replied to your comment/)
    expect(one?.headers.get('references')).toBe(`<feed-${feed}@127.0.0.1>`)
    expect(two?.headers.get('references')).toBe(one?.headers.get('references'))
    expect(two?.headers.get('message-id')).toMatch(/^<notification-\d+@127\.0\.0\.1>$/)
    expect(two?.headers.get('message-id')).not.toBe(one?.headers.get('message-id'))
  })

  test('is sent once until the notification is read', async () => {
    const feed = await post(ana)
    await comment(ben, feed)
    await world.runPendingJobs()
    await comment(cleo, feed)
    expect((await mailsTo(ana)).map(({ mail }) => mail.subject)).toEqual(['کلئو and 1 other commented on your post “The bed by the wall”'])
    await comment(ben, feed, 'And marigolds')
    expect(await mailsTo(ana)).toEqual([])
    await readAll(ana)
    await comment(ben, feed, 'And garlic')
    expect(await mailsTo(ana)).toHaveLength(1)
  })
})

describe('no mail', () => {
  test('about a notification read in the meantime', async () => {
    await comment(ben, await post(ana))
    await world.runPendingJobs()
    await readAll(ana)
    expect(await mailsTo(ana)).toEqual([])
  })

  test('about a comment deleted in the meantime', async () => {
    const feed = await post(ana)
    const id = await comment(ben, feed)
    await world.runPendingJobs()
    await ben.api.comments.remove({ feed_id: feed, comment_id: id })
    expect(await mailsTo(ana)).toEqual([])
  })

  test('about anything the recipient may no longer see', async () => {
    const space = await makeSpace(world, { privacy: 'secret', members: [ana, ben] })
    await post(ben, { space_id: space.id, message: `Only for us, @${ana.username}` })
    await world.runPendingJobs()
    await leaveSpace(world, space, ana)
    expect(await mailsTo(ana)).toEqual([])
    const other = await makeSpace(world, { privacy: 'private', members: [ana, ben] })
    await post(ben, { space_id: other.id, message: `Only for us, @${ana.username}` })
    expect(await mailsTo(ana)).toHaveLength(1)
  })

  test.each(['suspended', 'banned'] as const)('to a %s member', async (status) => {
    await comment(ben, await post(ana))
    await world.runPendingJobs()
    await world.app.write(null, ({ db }) => db.updateTable('users').set({ status }).where('id', '=', ana.id).execute())
    expect(await mailsTo(ana)).toEqual([])
  })

  test('to an invalid address', async () => {
    await comment(ben, await post(ana))
    await world.app.write(null, ({ db }) => db.updateTable('users').set({ email: '' }).where('id', '=', ana.id).execute())
    await mailsTo(ana)
    expect(await mailbox.take('')).toEqual([])
  })

  test('of a kind that the member turned off, without affecting other kinds', async () => {
    await prefer(ana, { new_comment: false })
    const feed = await post(ana)
    await comment(ben, feed)
    expect(await mailsTo(ana)).toEqual([])
    await comment(cleo, await post(ben), `Ask @${ana.username}`)
    expect((await mailsTo(ana)).map(({ mail }) => mail.subject)).toEqual([expect.stringMatching(/^کلئو mentioned you/)])
  })

  test('about a reaction, unless the member turned it on', async () => {
    await ben.api.reactions.toFeed({ feed_id: await post(ana), type: 'love' })
    expect(await mailsTo(ana)).toEqual([])
    await prefer(ana, { new_reaction: true })
    await ben.api.reactions.toFeed({ feed_id: await post(ana), type: 'love' })
    const [got] = await mailsTo(ana)
    expect(got?.mail.subject).toMatch(/reacted to your post/)
    // The quoted text is the recipient's own, so it must not be attributed to the other person.
    expect(got?.mail.text).not.toMatch(/Okafor:\n>/)
  })

  test('while the community has turned mail off', async () => {
    await save({ enable_email_notifications: false })
    await comment(ben, await post(ana))
    expect(await mailsTo(ana)).toEqual([])
    await save({ enable_email_notifications: true })
    await comment(ben, await post(ana))
    expect(await mailsTo(ana)).toHaveLength(1)
  })

  test('beyond ten an hour', async () => {
    for (let i = 0; i < 13; i++) await comment(ben, await post(ana))
    expect(await mailsTo(ana)).toHaveLength(10)
    world.clock.advance(3600)
    await comment(ben, await post(ana))
    expect(await mailsTo(ana)).toHaveLength(1)
  })
})

test('is sent once the mail server is available again, exactly once', async () => {
  await comment(ben, await post(ana))
  await world.runPendingJobs()
  mailbox.putOff(true)
  expect(await mailsTo(ana)).toEqual([])
  mailbox.putOff(false)
  world.clock.advance(600)
  await world.runPendingJobs()
  expect(await mailbox.take(ana.email)).toHaveLength(1)
  world.clock.advance(24 * 3600)
  await world.runPendingJobs()
  expect(await mailbox.take(ana.email)).toEqual([])
})

test('a job that runs twice sends one mail', async () => {
  const { database } = world.app.services
  await comment(ben, await post(ana))
  await world.runPendingJobs()
  const [job] = await database.read
    .selectFrom('jobs')
    .selectAll()
    .where('name', '=', 'delivery.mail')
    .orderBy('id', 'desc')
    .limit(1)
    .execute()
  expect(await mailsTo(ana)).toHaveLength(1)
  const { id: _id, ...again } = job!
  await world.app.write(null, ({ db }) => db.insertInto('jobs').values(again).execute())
  expect(await mailsTo(ana)).toEqual([])
})

test('a member added to a space again is notified by mail once a day', async () => {
  const { slug } = await makeSpace(world, { admins: [ben] })
  const add = () => ben.api.spaceMembers.add({ space_slug: slug, user_id: ana.id })
  const remove = () => ben.api.spaceMembers.removeByPath({ space_slug: slug, user_id: ana.id })
  await add()
  expect((await mailsTo(ana)).map(({ mail }) => mail.subject)).toEqual([expect.stringMatching(/added you to the space “Space \d+”$/)])
  await remove()
  world.clock.advance(60)
  await add()
  expect(await mailsTo(ana)).toEqual([])
  await remove()
  world.clock.advance(25 * 3600)
  await add()
  expect(await mailsTo(ana)).toHaveLength(1)
})

test('uses the community’s name, color and sender', async () => {
  await save({
    site_name: 'River & Co',
    primary_color: '#ffee88',
    from_name: 'The River',
    from_email: 'post@river.example',
  })
  await comment(ben, await post(ana))
  const [got] = await mailsTo(ana)
  expect(got?.mail.from).toEqual({ name: 'The River', address: 'post@river.example' })
  expect(got?.mail.html).toContain('River &amp; Co')
  expect(got?.mail.html).toContain('#ffee88')
  expect(got?.mail.text).toContain('at River & Co.')
})

test('welcomes new members', async () => {
  const before = mailbox.sources.length
  const newcomer = await world.member({ displayName: 'Dina Novak' })
  await world.runPendingJobs()
  const welcome = mailbox.sources.slice(before).filter(({ to }) => to === newcomer.email)
  expect(welcome).toHaveLength(1)
  expect(welcome[0]?.source.toString()).toContain('Hello Dina Novak,')
})
