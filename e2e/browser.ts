import { createClient } from '@lyceum/sdk'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { afterAll, inject } from 'vitest'
import { findChromium } from '../packages/server/test/services/programs.ts'
import { ADMIN } from './setup.ts'

export const SCREENS = { desktop: { width: 1280, height: 900 }, phone: { width: 360, height: 740 } } as const
export type Screen = keyof typeof SCREENS
export type Theme = 'light' | 'dark'

export interface Person {
  readonly username: string
  readonly password: string
  readonly name: string
}

let browser: Promise<Browser> | null = null
const launch = (): Promise<Browser> => {
  const executablePath = findChromium()
  if (!executablePath) throw new Error('there is no Chromium')
  // The sandbox needs rights that containers seldom give; only our own pages are opened.
  browser ??= chromium.launch({ executablePath, args: ['--no-sandbox'] })
  return browser
}
afterAll(async () => {
  await (await browser)?.close()
  browser = null
})

/** The API as the administrator, to arrange what a journey begins with. */
export const admin = () => {
  const { origin, appPassword } = inject('stage')
  return createClient({ baseUrl: `${origin}/api/v2`, username: ADMIN.username, password: appPassword })
}

let people = 0
/** Somebody new, who can sign in. */
export const person = async (name: string): Promise<Person> => {
  people += 1
  const username = `${name.toLowerCase().replace(/\W/g, '')}-${process.pid}-${people}`
  const password = 'Quiet-river-7431'
  const { origin } = inject('stage')
  await createClient({ baseUrl: `${origin}/api/v2` }).auth.register({
    username,
    email: `${username}@example.org`,
    password,
    display_name: name,
  })
  return { username, password, name }
}

export interface Visit {
  readonly page: Page
  readonly context: BrowserContext
  /** What the browser complained about: errors of scripts, of the console, and of the policy. */
  readonly complaints: readonly string[]
}

/** Opens the app in a window of its own. */
export const visit = async (
  screen: Screen,
  path: string,
  { theme = 'light' as Theme, as = null as Person | null } = {},
): Promise<Visit> => {
  const { origin } = inject('stage')
  const context = await (await launch()).newContext({
    viewport: SCREENS[screen],
    hasTouch: screen === 'phone',
    colorScheme: theme,
    baseURL: origin,
    locale: 'en-GB',
    reducedMotion: 'reduce',
    serviceWorkers: 'block',
  })
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
  page.on('pageerror', (error) => complaints.push(error.message))
  if (as) await signIn(page, as)
  await page.goto(path)
  return { page, context, complaints }
}

/** Signs in by the session's own operation, which sets the cookie of this window. */
const signIn = async (page: Page, { username, password }: Person): Promise<void> => {
  const answer = await page.request.post('/api/v2/auth/login', { data: { login: username, password } })
  if (!answer.ok()) throw new Error(`signing in as ${username} was answered with ${answer.status()}`)
}
