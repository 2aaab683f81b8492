import type { Page } from 'playwright-core'
import { describe, expect, it, onTestFinished } from 'vitest'
import { ADMIN, ownCommunity, STAFF_SCREENS, show, unique } from './browser.ts'

const { admin, person, visit } = ownCommunity()

const FOCUSED = `(({ labels, ariaLabel, textContent }) => labels?.[0]?.textContent ?? ariaLabel ?? textContent ?? '')(document.activeElement ?? {})`

/** Presses Tab until an element with that name has the focus. */
const tabTo = async (page: Page, name: RegExp) => {
  for (let presses = 0; presses < 60; presses++) {
    await page.keyboard.press('Tab')
    const words = (await page.evaluate(FOCUSED)) as string
    if (name.test(words)) return
  }
  throw new Error(`${name} is not reached by the keyboard`)
}
const said = (page: Page, words: string) => page.getByText(words).last().waitFor()

describe.each(STAFF_SCREENS)('moderation, %s', (screen) => {
  it('a report is sent, resolved by keyboard alone, and its action applied', async () => {
    const [bert, cora] = [await person('Bert Boyle'), await person('Cora Chase')]
    const title = `Buy my shoes, ${screen}`
    const { data: feed } = await bert.client.feeds.create({ title, message: 'Cheap, cheap, cheap.' })
    const reader = await visit(screen, `/feeds/${feed.slug}`, { as: cora })
    await reader.page.getByRole('button', { name: 'Post actions' }).click()
    await reader.page.getByRole('menuitem', { name: 'Report' }).click()
    await reader.page.getByRole('button', { name: 'Something else…' }).click()
    await reader.page.getByLabel('Add details for the moderators').fill('They post this every day.')
    await reader.page.getByRole('dialog').getByRole('button', { name: 'Send' }).click()
    await reader.page.getByText('Thank you. A moderator will review your report').waitFor()

    const { page, consoleErrors } = await visit(screen, '/admin/reports', { as: ADMIN })
    const report = page.getByRole('article', { name: 'Report about Bert Boyle' }).filter({ hasText: title })
    await report.getByText('“They post this every day.”').waitFor()
    await report.getByText('Reported by Cora Chase.').waitFor()
    await tabTo(page, /^Resolve$/)
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'Resolve report' }).waitFor()
    await tabTo(page, /^Action$/)
    await page.keyboard.type('Warn')
    await tabTo(page, /^Note$/)
    await page.keyboard.insertText('The third time.')
    await tabTo(page, /^Save and apply$/)
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await report.waitFor({ state: 'detached' })
    await page.reload()
    await page.getByText('Resolved', { exact: true }).click()
    await report.getByText('Warn the member').waitFor()
    await report.getByText('The third time.').waitFor()

    const author = await visit(screen, '/notifications', { as: bert })
    await author.page.getByText('You were warned by the moderators').waitFor()
    expect(await author.page.getByText('The third time.').count()).toBe(0)

    await report.getByRole('button', { name: 'Change decision' }).click()
    await page.getByLabel('Action').selectOption({ label: 'Delete content' })
    await page.getByRole('button', { name: 'Save and apply' }).click()
    await report.getByText('Delete content').waitFor()
    const before = [...author.consoleErrors, ...reader.consoleErrors, ...consoleErrors]
    expect(before).toEqual([])
    for (const window of [reader, author]) {
      await window.page.goto(`/feeds/${feed.slug}`)
      await window.page.getByRole('alert').waitFor()
      expect(await window.page.getByText(title).count()).toBe(0)
    }
    await author.page.goto('/notifications')
    await author.page.getByRole('link', { name: `Your post “${title}” was removed` }).waitFor()
    await author.page.getByText('A moderator removed it because of a report.').waitFor()
    await reader.page.goto('/notifications')
    await reader.page.getByRole('link', { name: 'The moderators have dealt with your report' }).waitFor()
    await reader.page.getByText('A moderator agrees with you and has done what was needed.').waitFor()
    for (const window of [reader, author]) expect(await window.page.getByRole('main').getByText('Ana Lindqvist').count()).toBe(0)
    await report.getByRole('button', { name: 'Change decision' }).click()
    await page.getByLabel('Decision').selectOption({ label: 'Dismiss report' })
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(consoleErrors).toEqual([])
  })

  it('the author and moderators see the text before a moderator edit', async () => {
    const [bert, cora] = [await person('Bert Boyle'), await person('Cora Chase')]
    const { data: feed } = await bert.client.feeds.create({ title: 'As I called it', message: 'As I *wrote* it' })
    const { data: comment } = await bert.client.comments.create({ feed_id: feed.id, comment: 'As I said it' })
    const reason = 'It named a third person.'
    await admin().feeds.update({ feed_id: feed.id, message: 'Better', reason })
    await admin().comments.update({ feed_id: feed.id, comment_id: comment.id, comment: 'Better, too' })
    const mark = /^edited by a moderator/
    for (const [as, editor] of [
      [bert, 'a moderator'],
      [ADMIN, ADMIN.name],
    ] as const) {
      const { page, consoleErrors } = await visit(screen, `/feeds/${feed.slug}`, { as })
      const dialog = page.getByRole('dialog', { name: 'Edit history' })
      await page.getByRole('button', { name: mark }).first().click()
      await dialog.getByText('As I called it').waitFor()
      await dialog.getByText('As I *wrote* it', { exact: true }).waitFor()
      await dialog.getByText(`Edited by ${editor} · Reason: ${reason}`, { exact: true }).waitFor()
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'detached' })
      await page.getByRole('article', { name: 'Comment by Bert Boyle' }).getByRole('button', { name: mark }).click()
      await dialog.getByText('As I said it', { exact: true }).waitFor()
      await dialog.getByText(`Edited by ${editor}`, { exact: true }).waitFor()
      expect(consoleErrors).toEqual([])
    }
    const { page } = await visit(screen, `/feeds/${feed.slug}`, { as: cora })
    await expect.poll(() => page.getByText(mark).count()).toBe(2)
    expect(await page.getByRole('button', { name: mark }).count()).toBe(0)
  })

  it('failed sign-ins are listed for administrators, for all accounts or one', async () => {
    const bert = await person('Bert Boyle')
    for (const login of [bert.username, `nobody-${screen}`])
      await expect(bert.client.auth.login({ login, password: 'not-the-one' })).rejects.toMatchObject({ status: 401 })
    const { page, consoleErrors } = await visit(screen, '/admin/sign-in-failures', { as: ADMIN })
    await page.getByRole('heading', { level: 1, name: 'Failed sign-ins' }).waitFor()
    const entries = page.getByRole('main').getByRole('listitem')
    const own = entries.filter({ hasText: `@${bert.username}` })
    await own.getByText('from 127.0.0.0/24').waitFor()
    await entries.filter({ hasText: 'Unknown account' }).first().waitFor()
    expect(await page.getByText(`nobody-${screen}`).count()).toBe(0)
    await own.getByRole('button', { name: /^Show only this account/ }).click()
    await page.getByText('Unknown account').waitFor({ state: 'detached' })
    await own.waitFor()
    await page.getByRole('button', { name: 'Show all accounts' }).click()
    await page.getByText('Unknown account').first().waitFor()
    expect(consoleErrors).toEqual([])
    await expect(bert.client.audit.signInFailures()).rejects.toMatchObject({ status: 403 })
  })

  it('a rule holds posts until they are reviewed', async () => {
    const { moderation } = admin()
    for (const { feed_id } of (await moderation.queue()).items) await moderation.decideFeed({ feed_id, decision: 'reject' })
    const dora = await person('Dora Dahl')
    const word = `moonshine-${screen}`
    const { page, consoleErrors } = await visit(screen, '/admin/rules', { as: ADMIN })
    await page.getByLabel('Enable automatic screening').check()
    await page.getByLabel('Words', { exact: true }).fill(word)
    await page.getByLabel('Domains', { exact: true }).fill('this is no domain')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('alert').waitFor()
    expect(await page.getByLabel('Words', { exact: true }).inputValue()).toBe(word)
    expect(consoleErrors.splice(0).filter((text) => !text.includes('400'))).toEqual([])
    await page.getByLabel('Domains', { exact: true }).fill('casino.example')
    await page.getByRole('button', { name: 'Save' }).click()
    await said(page, 'Saved')
    await page.reload()
    await page.getByText('1 entry').last().waitFor()
    expect(await page.getByLabel('Domains', { exact: true }).inputValue()).toBe('casino.example')
    expect(await page.getByLabel('Enable automatic screening').isChecked()).toBe(true)

    const author = await visit(screen, '/', { as: dora })
    for (const message of [`The best ${word} in town`, `More ${word} for everybody`]) {
      await author.page.getByRole('button', { name: 'What would you like to share, Dora?' }).click()
      await author.page.getByRole('textbox', { name: 'Your post' }).fill(message)
      await author.page.getByRole('button', { name: 'Post', exact: true }).click()
      await author.page.getByText('Your post is pending review').last().waitFor()
      await author.page.getByRole('dialog').waitFor({ state: 'detached' })
    }
    const good = (text: string) => page.getByRole('article', { name: 'By Dora Dahl' }).filter({ hasText: text })
    await show(page, '/admin/queue')
    await good('The best').getByText('Blocked word').waitFor()
    await good('The best').getByText(`Matched: ${word}`).waitFor()
    await page.keyboard.press('a')
    await said(page, 'Published')
    await good('The best').waitFor({ state: 'detached' })
    await page.keyboard.press('r')
    await page.getByLabel('Note to the author (optional)').fill('Once is enough.')
    await page.getByRole('dialog').getByRole('button', { name: 'Reject' }).click()
    await page.getByText('Nothing to review').waitFor()
    await page.reload()
    await page.getByText('Nothing to review').waitFor()

    await author.page.goto('/notifications')
    await author.page.getByText('Your post was approved').waitFor()
    await author.page.getByText('Once is enough.').waitFor()
    const { client } = await person('Emil Egli')
    const { feeds } = await client.feeds.list({ user_id: dora.id })
    expect(feeds.data.map(({ message }) => message)).toEqual([`The best ${word} in town`])
    expect([...consoleErrors, ...author.consoleErrors]).toEqual([])
  })

  it('new accounts wait for approval if it is required', async () => {
    const { registrations, settings } = admin()
    for (const { id } of (await registrations.list()).data) await registrations.reject({ user_id: id })
    onTestFinished(() => settings.save({ approval_required: false }).then(() => {}))
    const { page, consoleErrors } = await visit(screen, '/admin/general', { as: ADMIN })
    await page.getByLabel('Require approval for new members').check()
    await page.getByRole('button', { name: 'Save' }).click()
    await said(page, 'Saved')

    const guest = await visit(screen, '/sign-up')
    const signUp = async (name: string) => {
      const username = unique(name.toLowerCase())
      await guest.page.goto('/sign-up')
      await guest.page.getByLabel('Name', { exact: true }).fill(name)
      await guest.page.getByLabel('Username').fill(username)
      await guest.page.getByLabel('Email', { exact: true }).fill(`${username}@example.org`)
      await guest.page.getByLabel('Password').fill('Quiet-river-7431')
      await guest.page.getByRole('button', { name: 'Create account' }).click()
      await guest.page.getByRole('heading', { name: 'Your account is pending approval' }).waitFor()
      return username
    }
    const signIn = async (username: string) => {
      await guest.page.goto('/sign-in')
      await guest.page.getByLabel('Username or email').fill(username)
      await guest.page.getByLabel('Password').fill('Quiet-river-7431')
      await guest.page.getByRole('button', { name: 'Sign in' }).click()
    }
    const [fritz, gerd] = [await signUp('Fritz'), await signUp('Gerd')]
    await signIn(fritz)
    await guest.page.getByRole('heading', { name: 'Your account is pending approval' }).waitFor()

    await show(page, '/admin/registrations')
    const row = (username: string) => page.getByRole('listitem').filter({ hasText: `@${username}` })
    await row(fritz).getByRole('button', { name: 'Approve' }).click()
    await said(page, 'Fritz is now a member')
    await row(fritz).waitFor({ state: 'detached' })
    await row(gerd).getByRole('button', { name: 'Reject' }).click()
    await page.getByLabel('Reason (optional, included in the email)').fill('We are full.')
    await page.getByRole('dialog').getByRole('button', { name: 'Reject' }).click()
    await page.getByText('No pending registrations').waitFor()

    expect(guest.consoleErrors.splice(0).filter((text) => !text.includes('403'))).toEqual([])
    await signIn(gerd)
    await guest.page.getByRole('alert').waitFor()
    expect(guest.consoleErrors.splice(0).filter((text) => !text.includes('401'))).toEqual([])
    await signIn(fritz)
    await guest.page.getByRole('feed').waitFor()
    expect([...consoleErrors, ...guest.consoleErrors]).toEqual([])
  })
})
