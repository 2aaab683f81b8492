import { describe, expect, it } from 'vitest'
import { MEMBER_SCREENS, person, visit } from './browser.ts'

describe.each(MEMBER_SCREENS)('signing in, %s', (screen) => {
  it('redirects to the requested page; a wrong password shows an error and loses nothing', async () => {
    const ben = await person('Ben Okafor')
    const { page, consoleErrors } = await visit(screen, '/')
    await page.getByRole('heading', { name: /^Sign in to/ }).waitFor()
    await page.getByLabel('Username or email').fill(ben.username)
    await page.getByLabel('Password').fill('not-the-password')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('alert').waitFor()
    expect(await page.getByLabel('Username or email').inputValue()).toBe(ben.username)
    expect(consoleErrors.filter((text) => !text.includes('401'))).toEqual([])

    await page.getByLabel('Password').fill(ben.password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('feed').waitFor()
    expect(new URL(page.url()).pathname).toBe('/')
  })
})
