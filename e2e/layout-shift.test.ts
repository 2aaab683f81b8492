import { setTimeout as after } from 'node:timers/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import { ADMIN, admin, keep, settled, visit } from './browser.ts'
import type { Window } from './browser-contexts.ts'
import { PAGES, type Tour, tourOf } from './pages.ts'

/** Above this a page counts as unstable for its readers (Core Web Vitals). */
const LIMIT = 0.1
const PHONE = { width: 390, height: 844 }
const WATCHED = ['home', 'feed', 'space', 'leaderboard', 'course', 'dashboard', 'teaching-lesson']

/** Latencies that let answers come one after the other, and in another order than they were asked for. */
const LATENCIES_MS = [100, 300, 150, 250]

const OBSERVE = `{
  globalThis.shifted = 0
  const observer = new PerformanceObserver((list) => {
    for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) globalThis.shifted += value
  })
  observer.observe({ type: 'layout-shift', buffered: true })
}`
/** Two frames later everything that is laid out has been reported. */
const SHIFTED = 'new Promise((tell) => requestAnimationFrame(() => requestAnimationFrame(() => tell(globalThis.shifted))))'

let tour: Tour
let window: Window
beforeAll(async () => {
  tour = await tourOf(admin())
  window = keep(await visit('phone', '/sign-in', { as: ADMIN }))
  await window.page.setViewportSize(PHONE)
  await window.page.addInitScript(OBSERVE)
  let calls = 0
  await window.page.route(/\/api\/v2\/(?!stream)/, async (route) => {
    calls += 1
    await after(LATENCIES_MS[calls % LATENCIES_MS.length])
    await route.fallback()
  })
})

describe('on a phone, where answers are slow', () => {
  it.each(PAGES.filter(({ name }) => WATCHED.includes(name)))('$name stays where it is while it loads', async ({ path }) => {
    const { page, complaints } = window
    await page.goto(path(tour))
    await settled(page)
    expect(await page.evaluate(SHIFTED)).toBeLessThanOrEqual(LIMIT)
    expect(complaints).toEqual([])
  })
})
