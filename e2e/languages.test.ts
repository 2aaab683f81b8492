import { readdirSync, readFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { admin, MEMBER_SCREENS, type Member, person, show, visit, waitUntilLoaded } from './browser.ts'
import { unexpectedErrors } from './console-errors.ts'
import { PAGES, type Tour, tourOf } from './pages.ts'

const LOCALES = 'packages/web/src/locales'
type Words = { readonly [key: string]: string | Words }
const leaves = (words: Words, at = ''): [string, string][] =>
  Object.entries(words).flatMap(([key, value]) =>
    typeof value === 'string' ? [[`${at}${key}`, value] as [string, string]] : leaves(value, `${at}${key}.`),
  )
const wordsOf = (language: string): Map<string, string> =>
  new Map(
    readdirSync(`${LOCALES}/${language}`).flatMap((file) =>
      leaves(JSON.parse(readFileSync(`${LOCALES}/${language}/${file}`, 'utf8')) as Words, `${file}:`),
    ),
  )

/** English texts that must not appear in German. */
const englishOnly = (): string[] => {
  const german = new Set(wordsOf('de').values())
  return [...new Set(wordsOf('en').values())].filter((text) => !text.includes('{{') && !german.has(text))
}

/** All visible and accessible texts of the page. */
const SAID = `[...document.querySelectorAll('body *')].flatMap((element) => [
  ...['aria-label', 'title', 'placeholder', 'alt'].map((name) => element.getAttribute(name) ?? ''),
  ...[...element.childNodes].filter((node) => node.nodeType === 3).map((node) => node.textContent.trim()),
]).filter(Boolean)`
const SIDEWAYS = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'

/** Half of the pages on each screen, because only the width differs. */
const TOURED = PAGES.filter(({ as, name }) => as === 'member' && name !== 'not-found')

let tour: Tour
let lena: Member
/** Content that members named this way. */
let names: ReadonlySet<string>
beforeAll(async () => {
  tour = await tourOf(admin())
  lena = await person('Lena Vogt')
  const { data } = await admin().courses.bySlug({ course_slug: tour.course })
  await admin().adminCourses.addStudent({ course_id: data.id, user_id: lena.id })
  const { spaces } = await admin().spaces.list({ per_page: 100 })
  const { topics } = await admin().topics.list({ per_page: 100 })
  const { leaderboard } = await admin().leaderboard.list({ period: 'all_time', limit: 50 })
  const levels = leaderboard.flatMap(({ items }) => items.flatMap(({ level }) => level ?? []))
  names = new Set([...spaces, ...topics, ...levels].map(({ title }) => title))
})

describe.each(MEMBER_SCREENS)('languages, %s', (screen) => {
  it('the app is translated to German without horizontal overflow, also from right to left', async () => {
    const english = new Set(englishOnly())
    const { page, consoleErrors } = await visit(screen, '/', { as: lena, locale: 'de-DE' })
    for (const { name, path } of TOURED.filter((_, place) => place % 2 === (screen === 'phone' ? 0 : 1))) {
      await page.evaluate("document.documentElement.dir = 'ltr'")
      await show(page, path(tour))
      await waitUntilLoaded(page)
      const said = (await page.evaluate(SAID)) as string[]
      expect(said.length, name).toBeGreaterThan(10)
      const foreign = said.filter((text) => english.has(text) && !names.has(text))
      expect(foreign, name).toEqual([])
      expect(await page.evaluate(SIDEWAYS), name).toBeLessThanOrEqual(0)
      await page.evaluate("document.documentElement.dir = 'rtl'")
      expect(await page.evaluate(SIDEWAYS), `${name}, from right to left`).toBeLessThanOrEqual(0)
    }
    expect(consoleErrors).toEqual([])
  })

  it('language and theme apply immediately and are remembered', async () => {
    const gil = await person('Gil Maron')
    const { page, consoleErrors } = await visit(screen, '/account/display', { as: gil })
    const background = () => page.evaluate('getComputedStyle(document.documentElement).backgroundColor')
    const light = await background()
    await page.getByLabel('Dark').check()
    await expect.poll(background).not.toBe(light)
    await page.getByLabel('Language').selectOption('Deutsch')
    await page.getByRole('heading', { level: 1, name: 'Kontoeinstellungen' }).waitFor()
    await page.reload()
    await page.getByRole('heading', { level: 1, name: 'Kontoeinstellungen' }).waitFor()
    expect(await page.evaluate('document.documentElement.lang')).toBe('de')
    expect(await background()).not.toBe(light)
    await page.getByRole('link', { name: 'Sicherheit' }).click()
    await page.getByLabel('Neue E-Mail-Adresse').fill('gil@example.net')
    await page.getByLabel('Aktuelles Passwort').nth(1).fill('not-the-password')
    await page.getByRole('button', { name: 'E-Mail-Adresse ändern' }).click()
    await page.getByText('Das aktuelle Passwort ist falsch.').waitFor()

    await page.getByRole('link', { name: 'Darstellung' }).click()
    await page.getByLabel('Hell').check()
    await expect.poll(background).toBe(light)
    await page.getByLabel('Sprache').selectOption('English')
    await page.getByRole('heading', { level: 1, name: 'Account settings' }).waitFor()

    // Dates use the browser's regional variant of the language.
    await page.goto(`/people/${gil.username}`)
    await page.getByText(/\b\d{1,2} \p{L}+ 20\d\d/u).waitFor()
    const american = await visit(screen, `/people/${gil.username}`, { as: gil, locale: 'en-US' })
    await american.page.getByText(/\b\p{L}+ \d{1,2}, 20\d\d/u).waitFor()
    expect(unexpectedErrors(consoleErrors, 400)).toEqual([])
  })
})
