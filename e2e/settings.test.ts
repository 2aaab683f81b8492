import type { Page } from 'playwright-core'
import { describe, expect, it, onTestFinished } from 'vitest'
import { ERRORS } from '../packages/contract/src/errors.ts'
import { ADMIN, ownCommunity, STAFF_SCREENS, show, unique } from './browser.ts'

const { admin, person, visit } = ownCommunity()

const saved = async (page: Page) => {
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved').last().waitFor()
}
/** Removes the console errors that the journey provoked. */
const provoked = (consoleErrors: string[], status: number) =>
  expect(consoleErrors.splice(0).filter((text) => !text.includes(String(status)))).toEqual([])
const colorOf = async (page: Page, variable: string) =>
  (await page.evaluate(`getComputedStyle(document.documentElement).getPropertyValue('${variable}')`)) as string

/** All rules of style sheets added by scripts. */
const sheets = '[...document.adoptedStyleSheets].flatMap(({ cssRules }) => [...cssRules].map(({ cssText }) => cssText)).join()'

describe.each(STAFF_SCREENS)('settings, %s', (screen) => {
  it('name and email settings are saved, and errors lose nothing', async () => {
    const name = unique('The Greenhouse')
    await admin().settings.save({ timezone: 'UTC', from_name: '', from_email: '', digest_frequency: 'weekly' })
    const { page, consoleErrors } = await visit(screen, '/admin/general', { as: ADMIN })
    const toMail = () =>
      screen === 'phone'
        ? page.getByRole('combobox', { name: 'Administration' }).selectOption('Email')
        : page.getByRole('link', { name: 'Email', exact: true }).click()
    await page.getByLabel('Name').fill(name)
    await page.getByLabel('Description').fill('Plants of all kinds.')
    await page.getByLabel('Time zone').fill('Europe/Nowhere')
    await page.getByLabel('Allow reactions').uncheck()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('alert').waitFor()
    expect(await page.getByLabel('Name').inputValue()).toBe(name)
    expect(await page.getByLabel('Time zone').getAttribute('aria-invalid')).toBe('true')
    provoked(consoleErrors, 400)
    expect((await admin().settings.public()).data.site_name).not.toBe(name)
    await toMail()
    await page.getByText('Discard unsaved changes?').waitFor()
    await page.getByRole('button', { name: 'Cancel' }).click()
    expect(await page.getByLabel('Name').inputValue()).toBe(name)
    await page.getByLabel('Time zone').fill('Europe/Berlin')
    await page.getByLabel('Allow reactions').check()
    await saved(page)
    await page.getByRole('banner').getByText(name).waitFor()
    await page.reload()
    await page.getByRole('banner').getByText(name).waitFor()
    expect(await page.getByLabel('Time zone').inputValue()).toBe('Europe/Berlin')
    const guest = await visit(screen, '/sign-in')
    await guest.page.getByRole('heading', { name: `Sign in to ${name}` }).waitFor()

    await toMail()
    await page.getByLabel('Sender name').fill('The gardeners')
    await page.getByLabel('Sender email').fill('not@an@address')
    await page.getByRole('button', { name: 'Save' }).click()
    expect(await page.getByLabel('Sender name').inputValue()).toBe('The gardeners')
    await page.getByLabel('Sender email').fill('hello@greenhouse.example')
    await page.getByLabel('Email summary').selectOption({ label: 'Daily' })
    await saved(page)
    await page.reload()
    await page.getByLabel('Sender email').waitFor()
    expect(await page.getByLabel('Sender email').inputValue()).toBe('hello@greenhouse.example')
    expect((await admin().settings.list()).data.notifications?.digest_frequency).toBe('daily')

    const noWords = { welcome: { subject: '', intro: '' } }
    onTestFinished(() =>
      admin()
        .settingsPages.saveMailTexts({ texts: noWords })
        .then(() => {}),
    )
    await show(page, '/admin/mail-texts')
    await page.getByRole('heading', { name: 'Welcome', exact: true }).click()
    await page.getByLabel('Subject').first().fill('Come in, {name}')
    await saved(page)
    await page.reload()
    await page.getByLabel('Subject').first().waitFor()
    expect(await page.getByLabel('Subject').first().inputValue()).toBe('Come in, {name}')
    expect((await admin().settingsPages.mailTexts()).texts.welcome.subject).toBe('Come in, {name}')
    expect([...consoleErrors, ...guest.consoleErrors]).toEqual([])
  })

  it('a color is applied and adjusted for contrast; so is custom CSS', async () => {
    onTestFinished(() =>
      admin()
        .settings.save({ primary_color: '#256150', secondary_color: '#64748b', custom_css: '' })
        .then(() => {}),
    )
    const reader = await visit(screen, '/', { as: await person(`Nora Nagel ${screen}`) })
    await reader.page.getByRole('feed').waitFor()
    const usual = await colorOf(reader.page, '--accent')
    const { page, consoleErrors } = await visit(screen, '/admin/appearance', { as: ADMIN })
    await page.getByText('Sufficient').first().waitFor()
    await page.getByLabel('Primary color', { exact: true }).fill('#ffd84d')
    await page
      .getByText(/^Primary color on white: 1\.\d:1/)
      .getByText('Adjusted automatically')
      .waitFor()
    await page
      .getByText(/^Primary color on dark/)
      .getByText('Sufficient')
      .waitFor()
    await page.getByLabel('Secondary color', { exact: true }).fill('#7a1fa2')
    await page
      .getByText(/^Secondary color on white/)
      .getByText('Sufficient')
      .waitFor()
    await page.getByLabel('Custom CSS').fill('main h1 { letter-spacing: 3px }')
    await saved(page)
    await expect.poll(() => colorOf(page, '--accent'), { timeout: 10_000 }).not.toBe(usual)
    await reader.page.goto('/people')
    await reader.page.getByRole('heading', { level: 1 }).waitFor()
    await expect.poll(() => colorOf(reader.page, '--accent'), { timeout: 10_000 }).toBe(await colorOf(page, '--accent'))
    expect(await colorOf(reader.page, '--second')).toContain('#7a1fa2')
    const spacing = "getComputedStyle(document.querySelector('main h1')).letterSpacing"
    await expect.poll(() => reader.page.evaluate(spacing), { timeout: 10_000 }).toBe('3px')

    // Custom CSS is not loaded on pages with passwords, and input is in no attribute that CSS can read.
    const guest = await visit(screen, '/sign-in')
    for (const [on, path, field] of [
      [guest.page, '/sign-in', 'Password'],
      [reader.page, '/account/security', 'New password'],
      [reader.page, '/Account/security', 'New password'],
    ] as const) {
      await on.goto(path)
      const secret = on.getByLabel(field, { exact: true }).first()
      await secret.fill('typed in secret')
      expect(await secret.inputValue()).toBe('typed in secret')
      expect(await secret.getAttribute('value')).toBeNull()
      expect(await on.content()).not.toContain('typed in secret')
      expect(await on.evaluate(sheets)).not.toContain('letter-spacing')
    }
    expect([...consoleErrors, ...reader.consoleErrors, ...guest.consoleErrors]).toEqual([])
  })

  it('privacy settings apply to members, and storage is tested', async () => {
    onTestFinished(() =>
      admin()
        .settingsPages.savePrivacy({ members_page_status: 'everybody' })
        .then(() => {}),
    )
    const otto = await person(`Otto Opitz ${screen}`)
    const { page, consoleErrors } = await visit(screen, '/admin/privacy', { as: ADMIN })
    await page.getByLabel('Members list').selectOption({ label: 'Administrators only' })
    await page.getByLabel('Change their username').check()
    await saved(page)
    await page.reload()
    await page.getByLabel('Change their username').waitFor()
    expect(await page.getByLabel('Change their username').isChecked()).toBe(true)
    expect(await page.getByLabel('Members list').inputValue()).toBe('admin_only')
    await expect(otto.client.members.list()).rejects.toMatchObject({ status: 403 })

    await show(page, '/admin/storage')
    await page.getByRole('heading', { name: 'Local storage' }).waitFor()
    await page.getByRole('button', { name: 'Test storage' }).click()
    await page.getByText('Storage works: a test file was written, read and deleted').waitFor()
    expect(consoleErrors).toEqual([])
  })

  it('welcome banner and menus appear for members and guests', async () => {
    const pages = admin().settingsPages
    await pages.saveMenu({ mainMenuItems: [{ slug: 'shop', title: 'Shop', permalink: '/shop' }] })
    onTestFinished(async () => {
      const off = { enabled: 'no', description: '', ctaButtons: [] } as const
      await pages.saveBanner({ login: off, logout: off })
      await pages.saveMenu({ mainMenuItems: [], profileDropdownItems: [], afterCommunityLinkGroups: [] })
    })
    const desk = await visit(screen, '/admin/welcome', { as: ADMIN })
    const console = desk.page
    const entry = (name: string) => console.getByRole('group', { name, exact: true })
    const written = async (name: string, words: string, address: string) => {
      await entry(name).getByLabel('Label').fill(words)
      await entry(words).getByLabel('URL').fill(address)
    }
    await console.getByLabel('Show banner').first().check()
    await console.getByLabel('Text', { exact: true }).first().fill('Come **in** and [look around](/spaces)')
    await console.getByLabel('Members can dismiss it').check()
    await console.getByRole('button', { name: 'Add button' }).first().click()
    await console.keyboard.insertText('What I keep')
    await entry('What I keep').getByLabel('URL').fill('javascript:alert(1)')
    await console.getByLabel('Show banner').last().check()
    await console.getByLabel('Text', { exact: true }).last().fill('A garden for all')
    await console.getByRole('button', { name: 'Save' }).click()
    await entry('What I keep').getByText(ERRORS.invalid_url[1]).waitFor()
    const address = entry('What I keep').getByLabel('URL')
    await expect.poll(() => console.evaluate("document.activeElement.getAttribute('aria-invalid')")).toBe('true')
    provoked(desk.consoleErrors, 400)
    await address.fill('/bookmarks')
    expect(await console.getByText(ERRORS.invalid_url[1]).count()).toBe(0)
    await saved(console)

    await show(console, '/admin/menus')
    await written('Shop', 'Garden shop', 'https://shop.example/')
    await entry('Garden shop').getByLabel('Emoji').fill('🛒')
    const add = console.getByRole('button', { name: 'Add entry' })
    for (const title of ['Rules', 'Closed', 'Gone']) {
      await add.first().click()
      await written('New entry', title, `/${title.toLowerCase()}`)
    }
    await entry('Closed').getByLabel('Visible').uncheck()
    await entry('Rules').getByRole('button', { name: 'Move Rules up' }).click()
    await entry('Gone').getByRole('button', { name: 'Remove Gone' }).click()
    await add.nth(2).click()
    await written('New entry', 'What I pay', 'https://pay.example/')
    await entry('What I pay').getByLabel('Open in new tab').check()
    await console.getByRole('button', { name: 'Add group' }).click()
    await console.keyboard.insertText('Good to know')
    await entry('Good to know').getByRole('button', { name: 'Add entry' }).click()
    await written('New entry', 'What we keep', '//elsewhere')
    await console.getByRole('button', { name: 'Save' }).click()
    await entry('What we keep').getByText(ERRORS.invalid_url[1]).waitFor()
    provoked(desk.consoleErrors, 400)
    await written('What we keep', 'What we keep', '/bookmarks')
    await console.getByRole('banner').getByRole('link').first().click()
    const sure = console.getByRole('alertdialog').or(console.getByRole('dialog'))
    await sure.getByRole('button', { name: 'Cancel' }).click()
    await saved(console)
    await console.reload()
    await entry('What we keep').waitFor()
    expect(await entry('What we keep').getByLabel('URL').inputValue()).toBe('/bookmarks')
    const { mainMenuItems } = (await pages.menu()).menuSettings
    expect(mainMenuItems.map(({ slug, title, enabled }) => [slug, title, enabled])).toEqual([
      ['', 'Rules', 'yes'],
      ['shop', 'Garden shop', 'yes'],
      ['', 'Closed', 'no'],
    ])

    const guest = await visit(screen, '/sign-in')
    await guest.page.getByRole('region', { name: 'Welcome' }).getByText('A garden for all').waitFor()

    const { page, consoleErrors } = await visit(screen, '/', { as: await person('Cara Lenz') })
    const banner = page.getByRole('region', { name: 'Welcome' })
    await banner.getByText('Come in and look around').waitFor()
    await banner.getByRole('link', { name: 'look around' }).click()
    await page.getByRole('heading', { level: 1, name: 'Spaces' }).waitFor()
    await page.goBack()
    await banner.getByRole('link', { name: 'What I keep' }).click()
    await page.getByRole('heading', { level: 1, name: 'Bookmarks' }).waitFor()
    await page.goBack()
    await banner.getByRole('button', { name: 'Dismiss' }).click()
    await banner.waitFor({ state: 'detached' })
    await page.reload()
    await page.getByRole('feed').waitFor()
    expect(await banner.count()).toBe(0)
    await pages.saveBanner({ login: { description: 'The summer feast is near' } })
    await page.reload()
    await banner.getByText('The summer feast is near').waitFor()

    const account = page.getByRole('button', { name: 'Account menu' })
    await account.click()
    const own = page.getByRole('menuitem', { name: 'What I pay' })
    expect([await own.getAttribute('href'), await own.getAttribute('target')]).toEqual(['https://pay.example/', '_blank'])
    if (screen === 'desktop') await page.keyboard.press('Escape')
    const side = page.getByRole('navigation', { name: 'Main menu' })
    const way = (name: string) => (screen === 'phone' ? page.getByRole('menuitem', { name }) : side.getByRole('link', { name }))
    expect(await way('Garden shop').getAttribute('href')).toBe('https://shop.example/')
    expect(await way('Closed').count()).toBe(0)
    await way('What we keep').click()
    await page.getByRole('heading', { level: 1, name: 'Bookmarks' }).waitFor()
    expect([...consoleErrors, ...desk.consoleErrors, ...guest.consoleErrors]).toEqual([])
  })
})

describe('the admin navigation, desktop', () => {
  it('scrolls to the active page in a low window', async () => {
    const { page } = await visit('desktop', '/admin/storage', { as: ADMIN })
    const here = page.getByRole('navigation', { name: 'Administration' }).getByRole('link', { name: 'Storage' })
    await expect
      .poll(async () => {
        const [list, area] = await Promise.all([page.getByRole('navigation', { name: 'Administration' }).boundingBox(), here.boundingBox()])
        return list !== null && area !== null && area.y + area.height <= list.y + list.height + 1
      })
      .toBe(true)
  })
})
