import { createClient } from '@lyceum/sdk'
import { describe, expect, inject, it } from 'vitest'
import { MEMBER_SCREENS, person, visit } from './browser.ts'
import { unexpectedErrors } from './console-errors.ts'
import { mailTo } from './mailbox.ts'

const baseUrl = () => `${inject('stage').origin}/api/v2`
const signIn = (login: string, password: string) => createClient({ baseUrl: baseUrl() }).auth.login({ login, password })
const refused = (status: number) => expect.objectContaining({ status })
const OTHER = 'Other-river-9152'

describe.each(MEMBER_SCREENS)('own account, %s', (screen) => {
  it('application passwords are created and revoked; password and email address change with the current password', async () => {
    const { username, password, client } = await person('Tom Reyes')
    const { page, consoleErrors } = await visit(screen, '/.well-known/change-password', { as: { username, password, name: 'Tom Reyes' } })
    await page.getByLabel('Name', { exact: true }).fill('garden robot')
    await page.getByRole('button', { name: 'Create password' }).click()
    const secret = (await page.getByRole('code').textContent()) ?? ''
    const robot = createClient({ baseUrl: baseUrl(), username, password: secret })
    expect((await robot.profiles.get({ username: 'me' })).profile.username).toBe(username)
    await page.reload()
    await page.getByRole('button', { name: 'Revoke the password for garden robot' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
    await page.getByText('garden robot', { exact: true }).waitFor({ state: 'detached' })
    await expect(robot.profiles.get({ username: 'me' })).rejects.toEqual(refused(401))

    const change = async (label: string, value: string, action: string, current: string) => {
      const form = page.locator('form').filter({ has: page.getByRole('button', { name: action }) })
      await form.getByLabel(label).fill(value)
      await form.getByLabel('Current password').fill(current)
      await form.getByRole('button', { name: action }).click()
      return form
    }
    const address = `other-${username}@example.org`
    const form = await change('New email address', address, 'Change email address', 'not-the-password')
    await form.getByRole('alert').waitFor()
    expect(await form.getByLabel('New email address').inputValue()).toBe(address)
    await change('New email address', address, 'Change email address', password)
    await page.getByText('Email address changed').waitFor()
    await page.getByText(`Current address: ${address}`).waitFor()
    expect((await client.profiles.get({ username: 'me' })).profile.email).toBe(address)
    await mailTo(`${username}@example.org`, /changed/)

    await change('New password', OTHER, 'Change password', password)
    await page.getByText('Password changed').waitFor()
    await expect(signIn(username, password)).rejects.toEqual(refused(401))
    await signIn(username, OTHER)
    await page.reload()
    await page.getByText(`Current address: ${address}`).waitFor()
    expect(unexpectedErrors(consoleErrors, 400, 401, 403)).toEqual([])
  })

  it('a data export is created and downloaded; the account is deleted with the current password', async () => {
    const who = await person('Lea Brandt')
    const { page, consoleErrors } = await visit(screen, '/account/data', { as: who })
    await page.getByRole('button', { name: 'Request data export' }).click()
    const download = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Download' }).click({ timeout: 20_000 })
    expect((await download).suggestedFilename()).toMatch(/\.zip$/)

    await page.getByRole('button', { name: 'Delete my account' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Delete them too').check()
    await dialog.getByLabel('Current password').fill('not-the-password')
    await dialog.getByRole('button', { name: 'Delete my account' }).click()
    await dialog.getByRole('alert').waitFor()
    await dialog.getByLabel('Current password').fill(who.password)
    await dialog.getByRole('button', { name: 'Delete my account' }).click()
    await page.getByRole('heading', { name: /^Sign in to/ }).waitFor()
    await page.getByText('Account deleted').waitFor()
    await expect(signIn(who.username, who.password)).rejects.toEqual(refused(401))
    expect(unexpectedErrors(consoleErrors, 400, 401, 403)).toEqual([])
  })
})
