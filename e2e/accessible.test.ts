import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults, NodeResult } from 'axe-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { ADMIN, admin, type Member, person, SCREENS, type Screen, settled, type Theme, visit } from './browser.ts'
import { PAGES, type Tour, tourOf } from './pages.ts'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
const LOOKS: readonly (readonly [Screen, Theme])[] = [
  ['desktop', 'light'],
  ['phone', 'dark'],
]

/** Sideways scrolling that a reader of a narrow screen would have to do, in pixels. */
const SIDEWAYS = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'

/** Half below the bar that a phone has at its end, as it happens: one scrolls to it. */
const isBelowTheBar = ({ any }: NodeResult) => any.some(({ data }) => data?.messageKey === 'partiallyObscured')

let tour: Tour
let mara: Member
beforeAll(async () => {
  tour = await tourOf(admin())
  mara = await person('Mara Lind')
  const { data } = await admin().courses.bySlug({ course_slug: tour.course })
  await admin().adminCourses.addStudent({ course_id: data.id, user_id: mara.id })
})

describe.each(PAGES)('$name', ({ path, as }) => {
  it('keeps nobody out, large and light, small and dark', async () => {
    const who = { nobody: null, member: mara, admin: ADMIN }[as]
    const { page, complaints } = await visit('desktop', path(tour), { as: who })
    await settled(page)
    // Past the policy of the page, which lets no script of others run.
    const session = await page.context().newCDPSession(page)
    await session.send('Runtime.evaluate', { expression: AXE })
    for (const [screen, theme] of LOOKS) {
      await page.setViewportSize(SCREENS[screen])
      await page.emulateMedia({ colorScheme: theme })
      await settled(page)
      const results = (await page.evaluate(`axe.run(document, { runOnly: ${JSON.stringify(RULES)} })`)) as AxeResults
      const found = results.violations.flatMap(({ id, nodes }) =>
        nodes.filter((node) => screen === 'desktop' || !isBelowTheBar(node)).map(({ html }) => `${id}: ${html.slice(0, 160)}`),
      )
      expect(found, `${screen}, ${theme}`).toEqual([])
      expect(results.passes.length).toBeGreaterThan(10)
      expect(await page.evaluate(SIDEWAYS), `sideways, ${screen}`).toBeLessThanOrEqual(0)
    }
    expect(complaints).toEqual([])
  })
})
