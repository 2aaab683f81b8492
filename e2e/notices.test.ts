import { createECDH, randomBytes, randomUUID } from 'node:crypto'
import type { BrowserContext, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { admin, MEMBER_SCREENS, person, visit } from './browser.ts'

/** Delivers a message to the service worker, as a push service does. */
const push = async (context: BrowserContext, page: Page, message: object) => {
  const session = await context.newCDPSession(page)
  const registered = new Promise<string>((done) => {
    session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const [first] = registrations
      if (first) done(first.registrationId)
    })
  })
  await session.send('ServiceWorker.enable')
  await session.send('ServiceWorker.deliverPushMessage', {
    origin: new URL(page.url()).origin,
    registrationId: await registered,
    data: JSON.stringify(message),
  })
  await session.detach()
}

const NOTIFIED = `navigator.serviceWorker.ready
  .then((registration) => registration.getNotifications())
  .then((all) => all.map(({ title, body, tag, data }) => ({ title, body, tag, url: data.url })))`

describe.each(MEMBER_SCREENS)('notifications, %s', (screen) => {
  it('appear live, are grouped, and are marked as read one by one and all together', async () => {
    const [inga, max, zoe] = [await person('Inga Roos'), await person('Max Adler'), await person('Zoe Park')]
    const { data: post } = await inga.client.feeds.create({ title: 'Seed swap', message: 'Who comes?' })
    const { page, consoleErrors } = await visit(screen, '/', { as: inga })
    await page.getByRole('feed').waitFor()
    const unread = (number: number) => page.getByRole('status').filter({ hasText: `${number} unread` })
    await max.client.comments.create({ feed_id: post.id, comment: 'I do' })
    await unread(1).waitFor()

    await page.getByRole('link', { name: /^Notifications/ }).click()
    await page.getByRole('link', { name: /Max Adler commented on your post “Seed swap”/ }).waitFor()
    await zoe.client.comments.create({ feed_id: post.id, comment: 'So do I' })
    await page.getByRole('link', { name: /Zoe Park and 1 other commented on your post “Seed swap”/ }).waitFor()
    expect(await page.getByRole('main').getByRole('listitem').count()).toBe(1)
    await zoe.client.followers.follow({ username: inga.username })
    await page.getByRole('link', { name: /Zoe Park started following you/ }).waitFor()
    await unread(2).waitFor()

    await page.getByRole('listitem').filter({ hasText: 'Seed swap' }).getByRole('button', { name: 'Mark as read' }).click()
    await unread(1).waitFor()
    await page.getByText('Unread', { exact: true }).click()
    await page.getByRole('link', { name: /Seed swap/ }).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Mark all as read' }).click()
    await unread(1).waitFor({ state: 'detached' })
    await page.reload()
    await page.getByRole('heading', { name: 'You’re all caught up' }).waitFor()
    expect((await inga.client.notifications.unread()).unread_count).toBe(0)

    await page.getByText('All', { exact: true }).click()
    await page.getByRole('link', { name: /Seed swap/ }).click()
    await page.getByText('So do I').waitFor()

    await max.client.comments.create({ feed_id: post.id, comment: 'Is there cake?' })
    await unread(1).waitFor()
    await page.reload()
    await page.getByText('Is there cake?').waitFor()
    await unread(1).waitFor({ state: 'detached' })
    await expect.poll(async () => (await inga.client.notifications.unread()).unread_count).toBe(0)
    expect(consoleErrors).toEqual([])
  })

  it('are shown in the reader’s language', async () => {
    const [ida, uwe, kim] = [await person('Ida Brandt'), await person('Uwe Kern'), await person('Kim Ohm')]
    const { data: space } = await admin().spaces.create({ title: `Werkstatt ${screen}`, privacy: 'private' })
    await admin().spaceMembers.add({ space_slug: space.slug, user_id: ida.id, role: 'admin' })
    const { data: post } = await ida.client.feeds.create({ title: 'Regal', message: 'Wer hilft?' })
    const { data: own } = await ida.client.comments.create({ feed_id: post.id, comment: 'Am Samstag' })
    for (const { client } of [uwe, kim]) {
      await client.comments.create({ feed_id: post.id, comment: 'Gern' })
      await client.reactions.toComment({ feed_id: post.id, comment_id: own.id, type: 'like' })
    }
    await uwe.client.comments.create({ feed_id: post.id, parent_id: own.id, comment: 'Da auch' })
    await uwe.client.feeds.create({ title: 'Leim', message: `Frag @${ida.username}` })
    await uwe.client.followers.follow({ username: ida.username })
    await uwe.client.spaceMembers.join({ space_slug: space.slug })
    const { page, consoleErrors } = await visit(screen, '/notifications', { as: ida, locale: 'de-DE' })
    for (const sentence of [
      'Kim Ohm und eine weitere Person haben deinen Beitrag „Regal“ kommentiert',
      'Kim Ohm und eine weitere Person haben auf deinen Kommentar „Am Samstag“ reagiert',
      'Uwe Kern hat auf deinen Kommentar zu „Regal“ geantwortet',
      'Uwe Kern hat dich im Beitrag „Leim“ erwähnt',
      'Uwe Kern folgt dir jetzt',
      /hat dich zum Raum „Werkstatt \w+“ hinzugefügt/,
      `Uwe Kern möchte dem Raum „Werkstatt ${screen}“ beitreten`,
    ])
      await page.getByRole('link', { name: sentence }).waitFor()
    expect(consoleErrors).toEqual([])
  })

  it('preferences are saved and rolled back if the server is unreachable', async () => {
    const finn = await person('Finn Okoye')
    const { page, consoleErrors, context } = await visit(screen, '/account/notifications', { as: finn })
    const mails = page.getByRole('checkbox', { name: 'Comments and replies: Email' })
    const before = await mails.isChecked()
    await mails.click()
    await page.getByLabel('Email summary').selectOption('Daily')
    const wanted = async () => (await finn.client.notifications.preferences({ username: 'me' })).data
    await expect.poll(async () => (await wanted()).digest_frequency).toBe('daily')
    expect((await wanted()).email_notifications.new_comment).toBe(!before)
    await page.reload()
    await mails.waitFor()
    expect(await mails.isChecked()).toBe(!before)
    expect(await page.getByLabel('Email summary').inputValue()).toBe('daily')
    expect(consoleErrors).toEqual([])

    await context.setOffline(true)
    await mails.click()
    await page.getByText('Could not reach the server. Check your connection.').waitFor()
    expect(await mails.isChecked()).toBe(!before)
  })

  it('push messages are enabled with permission, and errors are explained', async () => {
    const ruth = await person('Ruth Amsel')
    const { page, consoleErrors, context } = await visit(screen, '/account/notifications', { as: ruth, push: true })
    const on = page.getByRole('button', { name: 'Turn on' })
    await on.click()
    await page.getByText('Notifications are blocked.').waitFor()
    await page.getByText('Push notifications are off for this device.').waitFor()

    await context.grantPermissions(['notifications'])
    await on.click()
    // Browsers without a push service, as in most tests, cannot subscribe.
    const answer = page.getByText(/^(Push notifications are on for this device\.|Could not turn on push notifications\.)/)
    await answer.waitFor()
    if ((await answer.textContent())?.startsWith('Push notifications are on')) {
      expect((await ruth.client.push.list()).data).toHaveLength(1)
      await page.getByRole('button', { name: 'Turn off' }).click()
      await on.waitFor()
    }
    expect((await ruth.client.push.list()).data).toEqual([])
    expect(consoleErrors.filter((text) => !text.includes('Push API'))).toEqual([])

    const { data: post } = await ruth.client.feeds.create({ title: 'Seed swap', message: 'Who comes?' })
    const message = { title: 'Max commented', body: 'I do', tag: 'feed-1', url: `/feeds/${post.slug}` }
    await push(context, page, message)
    await expect.poll(() => page.evaluate(NOTIFIED)).toEqual([message])
    // The test cannot click a system notification, so this simulates the click.
    await context.serviceWorkers()[0]?.evaluate(`open(${JSON.stringify(message.url)})`)
    await page.getByRole('heading', { level: 1, name: 'Seed swap' }).waitFor()

    // A subscription that is not bound to this session on the server: the app registers it at startup.
    const keys = { p256dh: createECDH('prime256v1').generateKeys('base64url'), auth: randomBytes(16).toString('base64url') }
    const known = JSON.stringify({ endpoint: `https://push.example/${randomUUID()}`, keys })
    await context.addInitScript(`PushManager.prototype.getSubscription = async () => ({ toJSON: () => (${known}) })`)
    await page.reload()
    await expect.poll(async () => (await ruth.client.push.list()).data.map(({ endpoint }) => endpoint)).toEqual(['https://push.example'])
  })
})
