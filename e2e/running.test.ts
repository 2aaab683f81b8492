import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { ERRORS } from '../packages/contract/src/errors.ts'
import { ADMIN, ownCommunity, type Person, STAFF_SCREENS, unique } from './browser.ts'

const { admin, person, visit } = ownCommunity({ LYCEUM_OUTBOUND_ALLOW: '127.0.0.0/8' })

const SOON = { timeout: 10_000 }

interface Call {
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** A system that receives webhooks. */
const calls: Call[] = []
const receiver = createServer(async (request, response) => {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  calls.push({ headers: request.headers, body: Buffer.concat(parts).toString() })
  response.end('{}')
})
let address = ''
beforeAll(async () => {
  receiver.listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  address = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`
})
afterAll(() => receiver.close())

const said = (page: Page, words: string) => page.getByText(words).last().waitFor()
/** Content behind an open dialog is inert. */
const closed = (page: Page) => page.getByRole('dialog').waitFor({ state: 'detached' })
const signIn = async (page: Page, { username, password }: Person) => {
  await page.getByLabel('Username or email').fill(username)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}
/** Removes the console errors that the journey provoked. */
const provoked = (consoleErrors: string[], status: number) =>
  expect(consoleErrors.splice(0).filter((text) => !text.includes(String(status)))).toEqual([])

describe.each(STAFF_SCREENS)('running a community, %s', (screen) => {
  it('a member is found, verified, banned and reactivated', async () => {
    const hugo = await person(unique('Hugo Holm'))
    const banned = await visit(screen, '/', { as: hugo })
    await banned.page.getByRole('feed').waitFor()
    const { page, consoleErrors } = await visit(screen, '/admin/members', { as: ADMIN })
    const row = page.getByRole('listitem').filter({ hasText: `@${hugo.username}` })
    const find = async () => {
      await page.getByRole('searchbox', { name: 'Name, username or email' }).fill(hugo.name)
      await row.getByRole('button', { name: `Edit ${hugo.name}` }).click()
    }
    await find()
    await page.getByLabel('Badges').fill('not/a badge')
    await page.getByRole('checkbox', { name: 'Verified' }).check()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('dialog').getByRole('alert').waitFor()
    expect(await page.getByLabel('Badges').inputValue()).toBe('not/a badge')
    provoked(consoleErrors, 400)
    await page.getByLabel('Badges').fill('founder')
    await page.getByRole('dialog').getByLabel('Status').selectOption({ label: 'Banned' })
    await page.getByRole('button', { name: 'Save' }).click()
    await closed(page)
    await row.waitFor({ state: 'detached' })

    await banned.page.getByRole('link', { name: 'Spaces', exact: true }).click()
    await banned.page.getByRole('heading', { name: /^Sign in to/ }).waitFor()
    await signIn(banned.page, hugo)
    await banned.page.getByText('This account is banned.').waitFor()
    expect(banned.consoleErrors.splice(0).filter((text) => !/401|403/.test(text))).toEqual([])

    await page.reload()
    await page.getByLabel('Status').selectOption({ label: 'Banned' })
    await find()
    expect(await page.getByRole('checkbox', { name: 'Verified' }).isChecked()).toBe(true)
    expect(await page.getByLabel('Badges').inputValue()).toBe('founder')
    await page.getByRole('dialog').getByLabel('Status').selectOption({ label: 'Active' })
    await page.getByRole('button', { name: 'Save' }).click()
    await closed(page)
    await page.getByText('No members found').waitFor()
    await signIn(banned.page, hugo)
    await banned.page.getByRole('heading', { name: 'Spaces', level: 1 }).waitFor()
    expect([...consoleErrors, ...banned.consoleErrors]).toEqual([])
  })

  it('a manager sees the granted pages, in the granted spaces', async () => {
    const irma = await person(unique('Irma Ivo'))
    const { data: den } = await admin().spaces.create({ title: unique('Den') })
    const { page, consoleErrors } = await visit(screen, '/admin/managers', { as: ADMIN })
    await page.getByRole('button', { name: 'Add manager' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add manager' })
    await dialog.getByLabel('Role').selectOption({ label: 'Manager' })
    for (const name of ['View analytics', 'Resolve reports', 'Pin posts']) await dialog.getByLabel(name).uncheck()
    await dialog.getByLabel('Manage webhooks').check()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText('Select a member first.').waitFor()
    await dialog.getByRole('searchbox', { name: 'Search members' }).fill(ADMIN.name)
    await dialog.getByRole('button', { name: 'already a manager', disabled: true }).waitFor()
    await dialog.getByRole('searchbox', { name: 'Search members' }).fill(irma.name)
    await dialog.getByRole('button', { name: `${irma.name} (@${irma.username})` }).click()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })

    const hers = await visit(screen, '/admin', { as: irma })
    await hers.page.getByRole('heading', { name: 'Reports', level: 1 }).waitFor()
    const areas = async () =>
      screen === 'phone'
        ? await hers.page.getByLabel('Administration').getByRole('option').allTextContents()
        : await hers.page.getByRole('navigation', { name: 'Administration' }).getByRole('link').allTextContents()
    expect(await areas()).toEqual(['Reports', 'Webhooks'])

    await page.reload()
    await page.getByRole('button', { name: `Edit ${irma.name}` }).click()
    expect(await page.getByLabel('Manage webhooks').isChecked()).toBe(true)
    expect(await page.getByLabel('Pin posts').isChecked()).toBe(false)
    await page.getByLabel('Limit to selected spaces').check()
    await page.getByLabel(den.title).check()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('listitem').filter({ hasText: irma.name }).getByText('in 1 space').waitFor()
    const { managers } = await admin().managers.list({ search: irma.username })
    expect(managers[0]).toMatchObject({ role: 'manager', spaces: [den.id] })

    await page.getByRole('button', { name: `Edit ${irma.name}` }).click()
    await page.getByRole('button', { name: 'Revoke all permissions' }).click()
    await closed(page)
    await page.getByRole('listitem').filter({ hasText: irma.name }).waitFor({ state: 'detached' })
    await hers.page.goto('/admin')
    await hers.page.getByRole('feed').waitFor()
    expect([...consoleErrors, ...hers.consoleErrors]).toEqual([])
  })

  it('groups and spaces appear in the chosen order', async () => {
    const [one, two] = [unique('First'), unique('Second')]
    const { space_group: group } = await admin().spaceGroups.create({ title: one })
    const titles = ['Apple', 'Birch', 'Cedar'].map(unique)
    for (const title of titles) await admin().spaces.create({ title, parent_id: group.id })
    const [apple, birch, cedar] = titles as [string, string, string]
    const { page, consoleErrors } = await visit(screen, '/admin/space-groups', { as: ADMIN })
    await page.getByRole('button', { name: 'Add group' }).click()
    await page.getByLabel('Group name').fill(two)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: two }).waitFor()
    await page.getByRole('button', { name: `Move ${two} up` }).click()
    await expect
      .poll(async () => (await page.getByRole('heading', { level: 2 }).allTextContents()).filter((name) => [one, two].includes(name)), SOON)
      .toEqual([two, one])
    await page.getByRole('button', { name: `Move ${birch} up` }).click()
    await page.getByLabel(`Group of ${cedar}`).selectOption({ label: two })
    await page.getByRole('button', { name: `Move ${birch} up`, disabled: true }).waitFor()

    const reader = await visit(screen, '/spaces', { as: await person(`Jan Juhl ${screen}`) })
    const names = [one, two, ...titles]
    await reader.page.getByRole('heading', { name: one }).waitFor()
    expect((await reader.page.getByRole('heading').allTextContents()).filter((name) => names.includes(name))).toEqual([
      two,
      cedar,
      one,
      birch,
      apple,
    ])
    expect([...consoleErrors, ...reader.consoleErrors]).toEqual([])
  })

  it('disabled features disappear for members and come back', async () => {
    const reader = await visit(screen, '/leaderboard', { as: await person(`Kim Koch ${screen}`) })
    await reader.page.getByRole('heading', { name: 'Leaderboard', level: 1 }).waitFor()
    const menu = async () => {
      await reader.page.getByRole('button', { name: 'Account menu' }).click()
      await reader.page.getByRole('menuitem', { name: 'Settings' }).waitFor()
      const entries = await reader.page.getByRole('menuitem').allTextContents()
      await reader.page.keyboard.press('Escape')
      return entries
    }
    expect(await menu()).toContain('Leaderboard')
    const { page, consoleErrors } = await visit(screen, '/admin/features', { as: ADMIN })
    onTestFinished(() =>
      admin()
        .settings.saveFeatures({ leaderboard: true, topics: true })
        .then(() => {}),
    )
    const save = async (on: boolean) => {
      for (const name of ['Leaderboard', 'Topics']) await page.getByRole('checkbox', { name, exact: true }).setChecked(on)
      await page.getByRole('button', { name: 'Save' }).click()
      await said(page, 'Saved')
    }
    await save(false)
    await page.reload()
    await page.getByRole('checkbox', { name: 'Leaderboard', exact: true }).waitFor()
    expect(await page.getByRole('checkbox', { name: 'Leaderboard', exact: true }).isChecked()).toBe(false)
    await reader.page.goto('/')
    await reader.page.getByRole('feed').waitFor()
    expect(await menu()).not.toContain('Leaderboard')
    expect(await reader.page.getByRole('link', { name: 'Leaderboard' }).count()).toBe(0)
    expect(await reader.page.getByLabel('Topic').count()).toBe(0)
    expect(reader.consoleErrors).toEqual([])
    await reader.page.goto('/leaderboard')
    await reader.page.getByText(ERRORS.leaderboard_disabled[1]).waitFor()
    provoked(reader.consoleErrors, 404)
    await save(true)
    await reader.page.reload()
    await reader.page.getByRole('heading', { name: 'Leaderboard', level: 1 }).waitFor()
    expect([...consoleErrors, ...reader.consoleErrors]).toEqual([])
  })

  it('levels and topics are created, and rejected if invalid', async () => {
    const lena = await person(`Lena Lott ${screen}`)
    const { page, consoleErrors } = await visit(screen, '/admin/levels', { as: ADMIN })
    const level = unique('Gardener')
    await page.getByLabel('Post', { exact: true }).fill('7')
    await page.getByLabel('Name').first().fill(level)
    const upTo = page.getByLabel('Up to').first()
    const before = await upTo.inputValue()
    await upTo.fill('150')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('alert').waitFor()
    expect([await upTo.inputValue(), await page.getByLabel('Name').first().inputValue()]).toEqual(['150', level])
    provoked(consoleErrors, 400)
    await upTo.fill(before)
    await page.getByRole('button', { name: 'Save' }).click()
    await said(page, 'Saved')
    await page.reload()
    await expect.poll(() => page.getByLabel('Name').first().inputValue(), SOON).toBe(level)
    expect(await page.getByLabel('Post', { exact: true }).inputValue()).toBe('7')
    await lena.client.feeds.create({ message: 'Seven points for this.' })
    const board = await visit(screen, '/leaderboard', { as: lena })
    await board.page.getByText(level).first().waitFor()

    const topic = unique('Beekeeping')
    await page.goto('/admin/topics')
    await page.getByRole('button', { name: 'Add topic' }).click()
    await page.getByLabel('Name').fill(topic)
    await page.getByLabel('Description').fill('Bees and honey.')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: `Edit ${topic}` }).click()
    expect(await page.getByLabel('Description').inputValue()).toBe('Bees and honey.')
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
    await board.page.goto('/')
    await board.page.getByLabel('Topic').selectOption({ label: topic })
    await page.getByRole('button', { name: `Delete topic ${topic}` }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await closed(page)
    await page.getByRole('listitem').filter({ hasText: topic }).waitFor({ state: 'detached' })
    expect([...consoleErrors, ...board.consoleErrors]).toEqual([])
  })

  it('a webhook receives events, and all changes are in the audit log', async () => {
    const max = await person(`Max Moll ${screen}`)
    const name = unique('Chat')
    const { page, consoleErrors } = await visit(screen, '/admin/webhooks', { as: ADMIN })
    await page.getByRole('button', { name: 'Add webhook' }).click()
    await page.getByLabel('Name').fill(name)
    await page.getByLabel('URL').fill('http://10.20.30.40/hook')
    const published = page.getByRole('group', { name: 'Posts' }).getByRole('checkbox', { name: 'Post published' })
    expect(await published.evaluate((box: { getAttribute(name: string): string }) => box.getAttribute('aria-describedby'))).not.toBe('')
    await page.getByRole('dialog').getByText('feed.created', { exact: true }).waitFor()
    await published.check()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('dialog').getByRole('alert').waitFor()
    expect(await page.getByLabel('Name').inputValue()).toBe(name)
    provoked(consoleErrors, 400)
    await page.getByLabel('URL').fill(address)
    await page.getByRole('button', { name: 'Save' }).click()
    const secretOf = async () => {
      const dialog = page.getByRole('dialog', { name: 'Signing secret' })
      const secret = (await dialog.getByText(/^whsec_/).textContent()) ?? ''
      await dialog.getByRole('button', { name: 'Close' }).click()
      return secret
    }
    const first = await secretOf()
    await page.getByRole('link', { name }).click()
    await page.getByText('No deliveries yet.').waitFor()

    const next = async (from: number) => {
      await expect.poll(() => calls.length, SOON).toBeGreaterThan(from)
      return calls[from] as Call
    }
    const signed = (secret: string, body: string) => `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`
    const start = calls.length
    const { data: feed } = await max.client.feeds.create({ title: `News, ${screen}`, message: 'Read all about it.' })
    const made = await next(start)
    expect(JSON.parse(made.body)).toMatchObject({ event: 'feed.created', data: { id: feed.id } })
    expect(made.headers['x-lyceum-signature']).toBe(signed(first, made.body))

    await page.reload()
    const delivery = page.getByRole('listitem').filter({ hasText: 'feed.created' })
    await delivery.getByText('Delivered').waitFor()
    await delivery.getByRole('button', { name: 'Redeliver' }).click()
    const again = await next(start + 1)
    expect(again.headers['webhook-id']).toBe(made.headers['webhook-id'])
    await delivery.getByText('2 attempts').waitFor()

    await page.getByRole('button', { name: 'Rotate secret' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate secret' }).click()
    const second = await secretOf()
    expect(second).not.toBe(first)
    await page.reload()
    // The answer to the test event arrives while the webhook is being deleted.
    const deleted = Promise.withResolvers<void>()
    await page.route('**/webhooks/*/test', async (route) => {
      const response = await route.fetch()
      await deleted.promise
      await route.fulfill({ response })
    })
    await page.route(/\/webhooks\/\d+$/, async (route) => {
      if (route.request().method() !== 'DELETE') return route.continue()
      const response = await route.fetch()
      deleted.resolve()
      await page.getByText('Test event sent').waitFor()
      return route.fulfill({ response })
    })
    await page.getByRole('button', { name: 'Send test event' }).click()
    const test = await next(start + 2)
    expect(test.headers['x-lyceum-signature']).toBe(signed(second, test.body))
    expect(String(test.headers['webhook-signature']).split(' ')).toHaveLength(2)
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('heading', { name: 'Webhooks', level: 1 }).waitFor()
    expect(await page.getByRole('link', { name }).count()).toBe(0)

    await page.goto('/admin/audit')
    const gone = page.getByText(`Ana Lindqvist deleted the webhook ${name}`)
    await gone.waitFor()
    await page.getByLabel('Action').selectOption({ label: 'Secret rotated' })
    const entry = page.getByRole('listitem').filter({ hasText: `Ana Lindqvist rotated the secret of the webhook ${name}` })
    await gone.waitFor({ state: 'detached' })
    await entry.getByText('Details').click()
    await entry.getByText('webhook.secret_rotated').waitFor()
    await page.getByLabel('To').fill('2020-01-01')
    await page.getByLabel('To').press('Enter')
    await page.getByText('No entries found').waitFor()
    expect(consoleErrors).toEqual([])
  })
})
