import type { Browser } from 'playwright-core'
import { clearWindow, type Look, launchChromium, openWindow, type Screen, signInWith, type Window } from './browser-contexts.ts'

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

const used = new Map<Window, Use>()
const kept = new Set<Window>()
/** Unused windows by origin and look. Their scripts are compiled, so a page costs a third of what it costs in a new window. */
const unused = new Map<string, Window[]>()

const unusedLike = ({ origin, screen, look: { theme, locale } }: Use): Window[] => {
  const key = [origin, screen, theme, locale].join(' ')
  const windows = unused.get(key) ?? []
  unused.set(key, windows)
  return windows
}

/** Takes a window for a test. */
export const takeWindow = async (use: Use): Promise<Window> => {
  const { origin, screen, look } = use
  const old = look.worker ? undefined : unusedLike(use).pop()
  const window = old ?? (await openWindow(await browserFor(look.worker ?? false), origin, screen, look))
  used.set(window, use)
  if (old) await signInWith(old, origin, look.cookie)
  return window
}

/** Ends the use of the windows of a test. */
export const releaseWindows = async (): Promise<void> => {
  for (const [window, use] of used) {
    if (kept.has(window)) continue
    used.delete(window)
    // The files that a service worker cached stay.
    const cleared =
      !use.look.worker &&
      (await clearWindow(window, use.screen)
        .then(() => true)
        .catch(() => false))
    if (cleared) unusedLike(use).push(window)
    else await window.context.close()
  }
}

/** Keeps a window for later tests of the same file. */
export const keepOpen = (window: Window): Window => {
  kept.add(window)
  return window
}

/** Ends the use of what a file kept. The browser stays: the next file of this worker uses it, and it ends with the worker. */
export const closeKept = async (): Promise<void> => {
  for (const window of kept) await window.context.close()
  for (const window of kept) used.delete(window)
  kept.clear()
}

/** Closes the windows of a community that stops. */
export const closeWindowsOf = async (origin: string): Promise<void> => {
  for (const [key, windows] of unused) {
    if (!key.startsWith(`${origin} `)) continue
    unused.delete(key)
    for (const { context } of windows) await context.close()
  }
}
