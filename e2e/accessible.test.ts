import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import { describe, expect, it } from 'vitest'
import { person, type Screen, type Theme, visit } from './browser.ts'
import { PAGES } from './pages.ts'
import { ADMIN } from './setup.ts'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
const LOOKS: readonly (readonly [Screen, Theme])[] = [
  ['desktop', 'light'],
  ['phone', 'dark'],
]

/** Sideways scrolling that a reader of a narrow screen would have to do, in pixels. */
const SIDEWAYS = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'

describe.each(PAGES)('$name', ({ path, as }) => {
  it.each(LOOKS)('keeps nobody out: %s, %s', async (screen, theme) => {
    const who = as === 'nobody' ? null : as === 'admin' ? ADMIN : await person('Mara Lind')
    const { page, complaints } = await visit(screen, path, { theme, as: who })
    await page.getByRole('heading', { level: 1 }).first().waitFor({ state: 'attached' })
    await page.waitForFunction('!document.querySelector("[data-waiting], main [aria-busy=true]")')
    // Past the policy of the page, which lets no script of others run.
    const session = await page.context().newCDPSession(page)
    await session.send('Runtime.evaluate', { expression: AXE })
    const results = (await page.evaluate(`axe.run(document, { runOnly: ${JSON.stringify(RULES)} })`)) as AxeResults
    expect(results.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`)).toEqual([])
    expect(results.passes.length).toBeGreaterThan(10)
    expect(await page.evaluate(SIDEWAYS)).toBeLessThanOrEqual(0)
    expect(await page.evaluate(`getComputedStyle(document.documentElement).colorScheme`)).toBeTruthy()
    expect(complaints).toEqual([])
  })
})
