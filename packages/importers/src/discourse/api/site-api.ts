import type { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { createHttp } from '../../http.ts'
import { UnreadableSource } from '../../source.ts'

export interface SiteAccount {
  /** Username of an administrator; the password is their API key. Without them, only public content is read. */
  readonly user?: string
  readonly password?: string
  readonly signal?: AbortSignal
}

/** Client of a site's JSON API. */
export interface SiteApi {
  readonly origin: string
  /** Path of the site below its origin; empty for the root. */
  readonly base: string
  readonly isAdministrator: boolean
  /** The response of a path; null if it does not exist or this account cannot read it. */
  readonly get: <Answer>(path: string) => Promise<Answer | null>
  /** Opens a file by its path or URL. */
  readonly open: (address: string) => Promise<Readable | null>
}

const MOST_JSON = 64 * 1024 * 1024
const MOST_FILE = 1024 * 1024 * 1024
/** Discourse allows 200 requests a minute from an address, and 60 a minute with the key of an administrator. */
const PAUSE_MS = { visitor: 350, administrator: 1050 } as const

/** `pause`: milliseconds between requests; defaults to Discourse's rate limit. */
export const createSiteApi = (address: string, { user, password, signal }: SiteAccount, pause?: number): SiteApi => {
  const site = new URL(address)
  const base = site.pathname.replace(/\/+$/, '')
  const isAdministrator = Boolean(user && password)
  const http = createHttp({
    headers: { accept: 'application/json', ...(user && password && { 'api-username': user, 'api-key': password }) },
    ...(signal && { signal }),
  })
  const wait = pause ?? PAUSE_MS[isAdministrator ? 'administrator' : 'visitor']
  let next = 0
  const paced = async () => {
    const now = Date.now()
    next = Math.max(next, now) + wait
    if (next - wait > now) await delay(next - wait - now, undefined, { signal })
  }
  return {
    origin: site.origin,
    base,
    isAdministrator,
    get: async <Answer>(path: string) => {
      await paced()
      const { status, body } = await http.get(`${site.origin}${base}${path}`, MOST_JSON)
      if (status === 403 || status === 404 || status === 410 || status === 422) return null
      if (status !== 200) throw new UnreadableSource(`${site.origin}${base}${path} answered ${status}.`)
      try {
        return JSON.parse(body) as Answer
      } catch {
        throw new UnreadableSource(`${site.origin}${base}${path} did not return JSON.`)
      }
    },
    open: async (from) => {
      await paced()
      const url = new URL(from, site.origin)
      return url.origin === site.origin ? http.open(url.href, MOST_FILE) : null
    },
  }
}
