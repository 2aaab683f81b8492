import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults, NodeResult } from 'axe-core'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  ADMIN,
  admin,
  fullSize,
  keepOpen,
  type Person,
  person,
  SCREENS,
  type Screen,
  show,
  type Theme,
  visit,
  waitUntilLoaded,
} from './browser.ts'
import type { BrowserWindow } from './browser-contexts.ts'
import { type AppPage, PAGES, type Tour, tourOf } from './pages.ts'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
type Look = readonly [Screen, Theme]
const LARGE: Look = ['desktop', 'light']
const SMALL: Look = ['phone', 'dark']
/** Pages with their looks: in turn one of them, in a long run both. */
const LOOKED_AT = PAGES.map((page, index) => {
  const first = fullSize || index % 2 === 0 ? LARGE : SMALL
  return { ...page, first, looks: fullSize ? [LARGE, SMALL] : [first] }
})
/** The narrowest window pages must fit: 1280 pixels at a zoom of 400 %. */
const NARROW = { width: 320, height: 740 }
const wear = async (page: Page, [screen, colorScheme]: Look) => {
  await page.setViewportSize(SCREENS[screen])
  await page.emulateMedia({ colorScheme })
}

/** Off-screen posts are laid out only when they come near, so until then they have the size measured in a window of another width. */
const LAID_OUT = `{
  const sheet = new CSSStyleSheet()
  sheet.replaceSync('* { content-visibility: visible !important }')
  document.adoptedStyleSheets.push(sheet)
}`

/** For rules that pass, it is enough to know that they ran. */
const RUN = `axe.run(document, ${JSON.stringify({ runOnly: RULES, resultTypes: ['violations'] })})`

/** Elements partly covered by the bottom bar of a phone can be scrolled into view. */
const isBelowTheBar = ({ any }: NodeResult) => any.some(({ data }) => data?.messageKey === 'partiallyObscured')

const violationsOn = async (page: Page, screen: Screen): Promise<string[]> => {
  const { violations, passes } = (await page.evaluate(RUN)) as AxeResults
  expect(passes.length).toBeGreaterThan(10)
  return violations.flatMap(({ id, nodes }) =>
    nodes.filter((node) => screen === 'desktop' || !isBelowTheBar(node)).map(({ html }) => `${id}: ${html.slice(0, 160)}`),
  )
}

/** Horizontal overflow in pixels. */
const SIDEWAYS = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'

let tour: Tour
/** All pages of one user are opened in one window, in which axe runs already. */
let windows: Readonly<Record<AppPage['as'], BrowserWindow>>
beforeAll(async () => {
  tour = await tourOf(admin())
  const mara = await person('Mara Lind')
  await admin().feeds.create({ message: `\`\`\`\n${'wider than any card '.repeat(20)}\n\`\`\`` })
  const { data } = await admin().courses.bySlug({ course_slug: tour.course })
  await admin().adminCourses.addStudent({ course_id: data.id, user_id: mara.id })
  const open = async (as: Person | null) => {
    const window = keepOpen(await visit('desktop', '/sign-in', { as }))
    await waitUntilLoaded(window.page)
    // Bypasses the content security policy, which blocks injected scripts.
    const session = await window.context.newCDPSession(window.page)
    await session.send('Runtime.evaluate', { expression: AXE })
    await session.detach()
    await window.page.evaluate(LAID_OUT)
    return window
  }
  windows = { nobody: await open(null), member: await open(mara), admin: await open(ADMIN) }
})

describe.each(LOOKED_AT)('$name', ({ path, as, first, looks }) => {
  it(`is accessible (${looks.map((look) => look.join(' and ')).join(', ')}) and never wider than the window`, async () => {
    const { page, consoleErrors } = windows[as]
    consoleErrors.length = 0
    await wear(page, first)
    await show(page, path(tour))
    for (const look of looks) {
      await wear(page, look)
      await waitUntilLoaded(page)
      expect(await violationsOn(page, look[0]), look.join(', ')).toEqual([])
    }
    for (const [screen, size] of Object.entries({ ...SCREENS, NARROW })) {
      await page.setViewportSize(size)
      // Charts follow the size of the window in the next frame.
      await expect.poll(() => page.evaluate(SIDEWAYS), { message: `sideways, ${screen}` }).toBeLessThanOrEqual(0)
    }
    expect(consoleErrors).toEqual([])
  })
})
