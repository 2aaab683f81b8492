import { setTimeout as pause } from 'node:timers/promises'
import type { Server } from './stage.ts'

const EVERY_MS = 100
const MOST_UNDER_WAY = 20

/**
 * Milliseconds until the first success, or null after the timeout. Requests start at fixed intervals without waiting for each other, so a
 * hanging request does not hide that the next one would succeed.
 */
const untilAnswered = (ask: () => Promise<{ readonly status: number }>, withinMs: number): Promise<number | null> => {
  const begun = performance.now()
  const { promise, resolve } = Promise.withResolvers<number | null>()
  let underWay = 0
  const look = () => {
    if (performance.now() - begun > withinMs) return resolve(null)
    if (underWay === MOST_UNDER_WAY) return
    underWay += 1
    void ask().then(({ status }) => {
      underWay -= 1
      if (status === 200 || status === 201) resolve(performance.now() - begun)
    })
  }
  look()
  const timer = setInterval(look, EVERY_MS)
  return promise.finally(() => clearInterval(timer))
}

/** Until an instance can read from the database. */
export const untilRead = ({ admin }: Server, withinMs: number) =>
  untilAnswered(() => admin.call('GET', '/account/application-passwords'), withinMs)

/** Until an instance accepts a write. */
export const untilWritten = ({ admin }: Server, withinMs: number) =>
  untilAnswered(() => admin.call('POST', '/feeds', { message: 'Somebody asks whether this is taken' }), withinMs)

export interface Page {
  readonly status: number
  readonly text: string
  readonly ms: number
}

/** Response and duration of a page outside the API; status 0 means no response. */
export const pageOf = async ({ base }: Pick<Server, 'base'>, path: string): Promise<Page> => {
  const begun = performance.now()
  const page = (status: number, text: string) => ({ status, text, ms: performance.now() - begun })
  try {
    const answer = await fetch(new URL(path, base), { headers: { connection: 'close' } })
    return page(answer.status, await answer.text())
  } catch {
    return page(0, '')
  }
}

/** The status that the readiness endpoint reports. */
export const readinessOf = ({ text }: Page): string => (/^\{"status":"([a-z_]+)"/.exec(text) ?? [])[1] ?? ''

/** Whether a condition becomes true before the timeout. */
export const becomes = async (isSo: () => Promise<boolean>, withinMs: number): Promise<boolean> => {
  const until = performance.now() + withinMs
  for (;;) {
    if (await isSo()) return true
    if (performance.now() > until) return false
    await pause(EVERY_MS)
  }
}
