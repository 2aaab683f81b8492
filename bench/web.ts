import type { Browser, Page } from 'playwright-core'
import { launchChromium, openWindow, waitUntilLoaded } from '../e2e/browser-contexts.ts'
import { ADMIN, serveCommunity } from '../e2e/community.ts'

const USAGE = `node bench/web.ts
What a reader of the web app feels, on a phone whose processor is four times as slow as this machine's: the JavaScript of the
first page, compressed, in kB; until the largest part of it is shown, in ms; and until what one has pressed or typed is shown,
in ms, with 500 posts in the list. The middle of several rounds.
`
const SLOWER = 4
const POSTS = 500
const ROUNDS = 5
/** Measurements that first load 500 posts. */
const LONG_ROUNDS = 3
const BARS = {
  'JavaScript of the first page, kB': 150,
  'largest contentful paint, ms': 2500,
  'interaction to next paint, ms': 200,
} as const
type Figure = keyof typeof BARS

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

/** Records paint and event timings in the page; runs before its scripts. */
const WATCH = `
window.seen = { largest: 0, events: new Map() }
new PerformanceObserver((list) => { for (const { startTime } of list.getEntries()) window.seen.largest = startTime })
  .observe({ type: 'largest-contentful-paint', buffered: true })
new PerformanceObserver((list) => {
  for (const { interactionId, duration, name } of list.getEntries())
    if (interactionId > 0) window.seen.events.set(interactionId, Math.max(duration, window.seen.events.get(interactionId) ?? 0))
}).observe({ type: 'event', durationThreshold: 16, buffered: true })
`

/** Compressed bytes of scripts on the network, without headers. */
const countScripts = (page: Page) => {
  const sizes: Promise<number>[] = []
  page.on('requestfinished', (request) => {
    if (request.resourceType() === 'script') sizes.push(request.sizes().then(({ responseBodySize }) => responseBodySize))
  })
  return async () => (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
}

/** A new browser window that emulates a slow phone. */
const slowPhone = async (browser: Browser, origin: string) => {
  const { page, context } = await openWindow(browser, origin, 'phone', { as: ADMIN })
  const session = await context.newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWER })
  await page.addInitScript(WATCH)
  return { page, context, scripts: countScripts(page) }
}

const firstPage = async (browser: Browser, origin: string) => {
  const { page, context, scripts } = await slowPhone(browser, origin)
  await page.goto('/')
  await page.waitForSelector(`${POST}:nth-of-type(4)`)
  await waitUntilLoaded(page)
  await page.waitForLoadState('networkidle').catch(() => {})
  const largest = await page.evaluate<number>('window.seen.largest')
  const bytes = await scripts()
  await context.close()
  return { 'JavaScript of the first page, kB': bytes / 1000, 'largest contentful paint, ms': largest }
}

// Locating elements by role takes longer with each post, which would affect the measurement.
const POST = '[role=feed] > article'
const NEAR_THE_END = `${POST}:nth-of-type(${POSTS - 15})`

/** Scrolls until this number of posts is loaded. */
const READ_ON = `(async () => {
  while (document.querySelectorAll('${POST}').length < ${POSTS}) {
    scrollTo(0, document.documentElement.scrollHeight)
    for (const button of document.querySelectorAll('[role=feed] ~ div > button')) button.click()
    await new Promise((done) => setTimeout(done, 20))
  }
  document.querySelector('${NEAR_THE_END}').scrollIntoView({ block: 'center' })
})()`

/** Waits until the page has rendered and finished deferred work. */
const SHOWN = 'new Promise((done) => requestAnimationFrame(() => setTimeout(done, 300)))'

/** Typical interactions: add and remove a reaction, open a menu, move between posts, show the shortcuts. */
const act = async (page: Page) => {
  const press = async (part: string) => {
    const { x, y } = await page.evaluate<{ x: number; y: number }>(
      `(({ x, y, width, height }) => ({ x: x + width / 2, y: y + height / 2 }))(document.querySelector('${NEAR_THE_END} ${part}').getBoundingClientRect())`,
    )
    await page.mouse.click(x, y)
    await page.evaluate(SHOWN)
  }
  for (const part of ['button[aria-pressed]', 'button[aria-pressed]', 'button[aria-haspopup=menu]']) await press(part)
  for (const key of ['Escape', 'j', 'j', 'k', 'l', 'l', 'b', 'b', '?', 'Escape']) {
    await page.keyboard.press(key)
    await page.evaluate(SHOWN)
  }
}

const interactions = async (browser: Browser, origin: string) => {
  const { page, context } = await slowPhone(browser, origin)
  await page.goto('/')
  await page.waitForSelector(POST)
  await page.evaluate(READ_ON)
  await page.evaluate(SHOWN)
  await page.evaluate('window.seen.events.clear()')
  await act(page)
  const times = await page.evaluate<number[]>('[...window.seen.events.values()]')
  await context.close()
  if (times.length < 3) throw new Error(`the browser reported ${times.length} interactions`)
  return { 'interaction to next paint, ms': Math.max(...times) }
}

if (process.argv.includes('--help')) {
  process.stdout.write(USAGE)
  process.exit()
}
const { stage, stop } = await serveCommunity({ members: 200, spaces: 12, posts: 1.5 * POSTS, comments: 1500, reactions: 4000 })
const browser = await launchChromium()
try {
  const rounds: Readonly<Partial<Record<Figure, number>>>[] = []
  for (let n = 0; n < ROUNDS; n++) rounds.push(await firstPage(browser, stage.origin))
  for (let n = 0; n < LONG_ROUNDS; n++) rounds.push(await interactions(browser, stage.origin))
  for (const [figure, bar] of Object.entries(BARS)) {
    const values = rounds.flatMap((round) => round[figure as Figure] ?? [])
    const middle = median(values)
    const met = middle <= bar
    process.stdout.write(
      `${figure}: ${Math.round(middle)} (${values.map(Math.round).join(', ')}), at most ${bar}: ${met ? 'met' : 'missed'}\n`,
    )
    if (!met) process.exitCode = 1
  }
} finally {
  await browser.close()
  await stop()
}
