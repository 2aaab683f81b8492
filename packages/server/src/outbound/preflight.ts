import { isIP } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { isHttpUrl } from '../content/url.ts'
import { type Resolve, reachRule, systemResolve } from './ssrf-guard.ts'

/** A name server that takes longer is not waited for: somebody has just pressed a button. */
const PATIENCE_MS = 750

/**
 * Whether an address could be reached at all: an early answer for whoever enters one, since every connection is checked anew. A https name
 * that does not resolve now may do so later; by plain http only what is known to lie in the operator's ranges is reached.
 */
export const couldBeReached = async (text: string, allow: readonly string[], resolve: Resolve = systemResolve): Promise<boolean> => {
  if (!isHttpUrl(text)) return false
  const { hostname, protocol, port } = new URL(text)
  const mayReach = reachRule(allow)
  const host = hostname.replace(/^\[|\]$/g, '')
  if (isIP(host)) return mayReach(host, protocol, port)
  const stop = new AbortController()
  const late = pause(PATIENCE_MS, [], { signal: stop.signal, ref: false })
  const found = await Promise.race([resolve(host).catch(() => []), late])
  stop.abort()
  await late.catch(() => {})
  return found.length === 0 ? protocol === 'https:' : found.every(({ address }) => mayReach(address, protocol, port))
}
