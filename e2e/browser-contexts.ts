import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { findChromium, findHeadlessShell } from '../packages/server/test-support/services/programs.ts'
import type { Person } from './community.ts'

export const SCREENS = { desktop: { width: 1280, height: 900 }, phone: { width: 360, height: 740 } } as const
export type Screen = keyof typeof SCREENS
export type Theme = 'light' | 'dark'

/** The whole browser is slower; only push messages need it. */
export const launchChromium = ({ whole = false } = {}): Promise<Browser> => {
  const executablePath = whole ? findChromium() : findHeadlessShell()
  if (!executablePath) throw new Error('there is no Chromium')
  // The sandbox needs privileges that containers rarely have, and only our own pages are opened.
  const args = ['--no-sandbox', '--disable-gpu', '--disable-site-isolation-trials']
  // Most pages live too short for code to be optimized, and threads of the garbage collector have no idle processors.
  return chromium.launch({ executablePath, args: [...args, '--js-flags=--single-threaded --no-opt --no-maglev'] })
}

/** A browser window with its console errors, script errors and policy violations. */
export interface BrowserWindow {
  readonly page: Page
  readonly context: BrowserContext
  readonly consoleErrors: string[]
}

export interface Look {
  readonly theme?: Theme
  /** The signed-in user. */
  readonly as?: Person | null
  /** The cookie of an existing session: `name=value`. */
  readonly cookie?: string
  /** Service workers cache files, which would disturb most tests. */
  readonly worker?: boolean
  /** Push messages, which need a service worker. */
  readonly push?: boolean
  readonly locale?: string
}

/** Signs in through the API, which sets the cookie of this window. */
const signIn = async (page: Page, { username, password }: Person): Promise<void> => {
  const answer = await page.request.post('/api/v2/auth/login', { data: { login: username, password } })
  if (!answer.ok()) throw new Error(`signing in as ${username} was answered with ${answer.status()}`)
}

export const openWindow = async (
  browser: Browser,
  origin: string,
  screen: Screen,
  { theme = 'light', as = null, cookie = '', worker = false, push = false, locale = 'en-GB' }: Look = {},
): Promise<BrowserWindow> => {
  const context = await browser.newContext({
    viewport: SCREENS[screen],
    hasTouch: screen === 'phone',
    colorScheme: theme,
    baseURL: origin,
    locale,
    reducedMotion: 'reduce',
    serviceWorkers: worker || push ? 'allow' : 'block',
  })
  context.setDefaultTimeout(10_000)
  const page = await context.newPage()
  const consoleErrors: string[] = []
  page.on('console', (message) => message.type() === 'error' && consoleErrors.push(`${message.text()} ${message.location().url}`))
  page.on('pageerror', (error) => consoleErrors.push(error.message))
  const window = { page, context, consoleErrors }
  if (cookie) await signInWith(window, origin, cookie)
  else if (as) await signIn(page, as)
  return window
}

/** Sets the cookie of an existing session: `name=value`. */
export const signInWith = async ({ context }: BrowserWindow, origin: string, cookie = ''): Promise<void> => {
  const [name = '', value = ''] = cookie.split('=')
  if (name) await context.addCookies([{ name, value, url: origin, httpOnly: true, sameSite: 'Lax' }])
}

/** Makes a window like a new one, apart from its look, cached files and compiled scripts. */
export const clearWindow = async ({ page, context, consoleErrors }: BrowserWindow): Promise<void> => {
  for (const other of context.pages()) if (other !== page) await other.close()
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await context.setOffline(false)
  await context.clearCookies()
  await page.mouse.move(0, 0)
  // A page without scripts: the app would store data when it is left.
  await page.goto('/icon.svg')
  await page.evaluate('localStorage.clear(); sessionStorage.clear()')
  consoleErrors.length = 0
}

/** Shows a page as a link would: without loading the app again. */
export const show = (page: Page, path: string): Promise<void> => page.evaluate(`__TSR_ROUTER__.navigate({ href: ${JSON.stringify(path)} })`)

/** Waits until a page has its heading and no loading placeholders. */
export const waitUntilLoaded = async (page: Page): Promise<void> => {
  await page.getByRole('heading', { level: 1 }).first().waitFor({ state: 'attached' })
  await page.locator('[data-waiting], main [aria-busy=true]').first().waitFor({ state: 'detached' })
}
