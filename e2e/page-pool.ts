import type { Browser, CDPSession } from 'playwright-core'
import {
  type BrowserWindow,
  clearWindow,
  type Look,
  launchChromium,
  openWindow,
  SCREENS,
  type Screen,
  signInWith,
} from './browser-contexts.ts'

const browsers = new Map<boolean, Promise<Browser>>()

const browserFor = (whole: boolean): Promise<Browser> => {
  const browser = browsers.get(whole) ?? launchChromium({ whole })
  browsers.set(whole, browser)
  return browser
}

interface Use {
  readonly origin: string
  readonly screen: Screen
  readonly look: Look
}

const used = new Map<BrowserWindow, Use>()
const kept = new Set<BrowserWindow>()
/** Unused windows by origin and language. Their scripts are compiled, so a page costs a third of what it costs in a new window. */
const unused = new Map<string, BrowserWindow[]>()

const unusedLike = ({ origin, look: { locale } }: Use): BrowserWindow[] => {
  const key = [origin, locale].join(' ')
  const windows = unused.get(key) ?? []
  unused.set(key, windows)
  return windows
}

/** The files that a service worker cached stay. */
const isReusable = ({ look: { worker, push } }: Use): boolean => !(worker || push)

/** Each makes the pointer of a window a finger until it is detached. */
const touching = new Map<BrowserWindow, CDPSession>()

/** Gives a window the size and pointer of a screen, and a theme. */
const setLook = async (window: BrowserWindow, { screen, look: { theme = 'light' } }: Use): Promise<void> => {
  const { page, context } = window
  await page.setViewportSize(SCREENS[screen])
  await page.emulateMedia({ colorScheme: theme })
  if (screen === 'desktop') return
  const session = await context.newCDPSession(page)
  touching.set(window, session)
  await session.send('Emulation.setTouchEmulationEnabled', { enabled: true })
}

/** Takes a window for a test. */
export const takeWindow = async (use: Use): Promise<BrowserWindow> => {
  const { origin, screen, look } = use
  const { locale, cookie, push: whole = false } = look
  const open = async (...rest: [Screen, Look]) => openWindow(await browserFor(whole), origin, ...rest)
  const window = isReusable(use) ? (unusedLike(use).pop() ?? (await open('desktop', { locale }))) : await open(screen, look)
  used.set(window, use)
  if (isReusable(use)) {
    await setLook(window, use)
    await signInWith(window, origin, cookie)
  }
  return window
}

const clear = async (window: BrowserWindow): Promise<void> => {
  await touching.get(window)?.detach()
  await clearWindow(window)
}

const release = async (window: BrowserWindow, use: Use): Promise<void> => {
  used.delete(window)
  const cleared =
    isReusable(use) &&
    (await clear(window)
      .then(() => true)
      .catch(() => false))
  touching.delete(window)
  if (cleared) unusedLike(use).push(window)
  else await window.context.close()
}

/** Ends the use of the windows of a test. */
export const releaseWindows = async (): Promise<void> => {
  for (const [window, use] of used) if (!kept.has(window)) await release(window, use)
}

/** Keeps a window for later tests of the same file. */
export const keepOpen = (window: BrowserWindow): BrowserWindow => {
  kept.add(window)
  return window
}

/** Ends the use of what a file kept. The browser stays: the next file of this worker uses it, and it ends with the worker. */
export const releaseKept = async (): Promise<void> => {
  kept.clear()
  await releaseWindows()
}
