import { setTimeout as after } from 'node:timers/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import { ADMIN, admin, keepOpen, visit, waitUntilLoaded } from './browser.ts'
import type { BrowserWindow } from './browser-contexts.ts'
import { PAGES, type Tour, tourOf } from './pages.ts'

/** Layout shift above this counts as unstable (Core Web Vitals). */
const LIMIT = 0.1
const PHONE = { width: 390, height: 844 }
const WATCHED = ['home', 'feed', 'space', 'leaderboard', 'course', 'dashboard', 'teaching-lesson']

/** Latencies that make responses arrive one by one and out of order. */
const LATENCIES_MS = [100, 300, 150, 250]

const OBSERVE = `{
  globalThis.shifted = 0
  const observer = new PerformanceObserver((list) => {
    for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) globalThis.shifted += value
  })
  observer.observe({ type: 'layout-shift', buffered: true })
}`
/** All layout shifts have been reported two frames later. */
const SHIFTED = 'new Promise((tell) => requestAnimationFrame(() => requestAnimationFrame(() => tell(globalThis.shifted))))'

let tour: Tour
let window: BrowserWindow
beforeAll(async () => {
  tour = await tourOf(admin())
  window = keepOpen(await visit('phone', '/sign-in', { as: ADMIN }))
  await window.page.setViewportSize(PHONE)
  let calls = 0
  await window.page.route(/\/api\/v2\/(?!stream)/, async (route) => {
    calls += 1
    await after(LATENCIES_MS[calls % LATENCIES_MS.length])
    await route.fallback()
  })
})

describe('on a phone with slow responses', () => {
  it.each(PAGES.filter(({ name }) => WATCHED.includes(name)))('$name stays where it is while it loads', async ({ path }) => {
    const { page, consoleErrors } = window
    await page.goto(path(tour))
    await waitUntilLoaded(page)
    await page.evaluate(OBSERVE)
    expect(await page.evaluate(SHIFTED)).toBeLessThanOrEqual(LIMIT)
    expect(consoleErrors).toEqual([])
  })
})
