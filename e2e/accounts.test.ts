import { createClient } from '@lyceum/sdk'
import { describe, expect, inject, it } from 'vitest'
import { MEMBER_SCREENS, person, unique, visit } from './browser.ts'
import { serveCommunity } from './community.ts'
import { unexpectedErrors } from './console-errors.ts'
import { mailTo } from './mailbox.ts'

const baseUrl = () => `${inject('stage').origin}/api/v2`
const signIn = (login: string, password: string) => createClient({ baseUrl: baseUrl() }).auth.login({ login, password })
const refused = (status: number) => expect.objectContaining({ status })
const OTHER = 'Other-river-9152'

describe.each(MEMBER_SCREENS)('accounts, %s', (screen) => {
  it('signing up signs in; a taken username keeps the form; signing out', async () => {
    const taken = await person('Ida Berg')
    const username = unique('nils')
    const { page, consoleErrors } = await visit(screen, '/sign-in')
    await page.getByRole('link', { name: 'Sign up' }).click()
    await page.getByRole('heading', { name: /^Join / }).waitFor()
    await page.getByLabel('Name', { exact: true }).fill('Nils Ek')
    await page.getByLabel('Username').fill(taken.username)
    await page.getByLabel('Email', { exact: true }).fill(`${username}@example.org`)
    await page.getByLabel('Password').fill(OTHER)
    await page.getByRole('button', { name: 'Create account' }).click()
    await page.getByRole('alert').waitFor()
    expect(await page.getByLabel('Username').getAttribute('aria-invalid')).toBe('true')
    expect(await page.getByLabel('Password').inputValue()).toBe(OTHER)

    await page.getByLabel('Username').fill(username)
    await page.getByRole('button', { name: 'Create account' }).click()
    await page.getByRole('feed').waitFor()
    expect(new URL(page.url()).pathname).toBe('/')
    await page.reload()
    await page.getByRole('button', { name: 'Account menu' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: /^Sign in to/ }).waitFor()
    await page.goto('/notifications')
    await page.getByRole('heading', { name: /^Sign in to/ }).waitFor()
    expect((await signIn(username, OTHER)).user).toMatchObject({ username, display_name: 'Nils Ek' })
    expect(unexpectedErrors(consoleErrors, 400)).toEqual([])
  })

  it('a forgotten password is reset with an email link that works once', async () => {
    const { username, password } = await person('Vera Holm')
    const { page, consoleErrors } = await visit(screen, '/sign-in')
    await page.getByRole('link', { name: 'Forgot your password?' }).click()
    await page.getByRole('heading', { name: 'Forgot your password?' }).waitFor()
    await page.getByLabel('Username or email').fill(username)
    await page.getByRole('button', { name: 'Send reset link' }).click()
    await page.getByRole('heading', { name: 'Check your email' }).waitFor()
    const mail = await mailTo(`${username}@example.org`, /reset-password/)
    const link = /https?:\S+\/reset-password\?token=[\w-]+/.exec(mail)?.[0] ?? ''

    await page.goto(link)
    await page.getByLabel('Password').fill('short')
    await page.getByRole('button', { name: 'Save password' }).click()
    await page.getByRole('alert').waitFor()
    await page.getByLabel('Password').fill(OTHER)
    await page.getByRole('button', { name: 'Save password' }).click()
    await page.getByRole('heading', { name: 'Password changed' }).waitFor()
    await expect(signIn(username, password)).rejects.toEqual(refused(401))
    await page.getByRole('link', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: /^Sign in to/ }).waitFor()
    await page.getByLabel('Username or email').fill(username)
    await page.getByLabel('Password').fill(OTHER)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('feed').waitFor()

    await page.goto(link)
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Save password' }).click()
    await page.getByRole('alert').waitFor()
    await page.getByRole('link', { name: 'Request a new link' }).click()
    await page.getByRole('button', { name: 'Send reset link' }).waitFor()
    expect(unexpectedErrors(consoleErrors, 400)).toEqual([])
  })

  it('the first administrator is created with the setup link, which works once', async () => {
    const { stage, stop } = await serveCommunity(null)
    try {
      const link = stage.setupLink ?? ''
      const { page, consoleErrors } = await visit(screen, link)
      const fill = async (password: string) => {
        await page.getByLabel('Username').fill('mara')
        await page.getByLabel('Email', { exact: true }).fill('mara@example.org')
        await page.getByLabel('Password').fill(password)
        await page.getByRole('button', { name: 'Create account and sign in' }).click()
      }
      await page.getByRole('heading', { name: 'Set up your community' }).waitFor()
      await fill('password12')
      await page.getByRole('alert').waitFor()
      expect(await page.getByLabel('Email', { exact: true }).inputValue()).toBe('mara@example.org')
      await fill(OTHER)
      await page.getByRole('button', { name: 'Account menu' }).click()
      await page.getByRole('menuitem', { name: 'Administration' }).click()
      await page.getByRole('heading', { level: 1 }).first().waitFor()

      await page.goto(link)
      await fill(OTHER)
      await page.getByRole('alert').waitFor()
      expect(unexpectedErrors(consoleErrors, 400, 403, 404, 409)).toEqual([])
    } finally {
      await stop()
    }
  })
})
