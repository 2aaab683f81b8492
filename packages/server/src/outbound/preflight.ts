import { isIP } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { isHttpUrl } from '@lyceum/content'
import { type Resolve, reachRule, systemResolve } from './ssrf-guard.ts'

/** Timeout of the DNS query; a user is waiting. */
const TIMEOUT_MS = 750

/**
 * Whether an address can be reached at all, as early feedback for the member who enters it; every connection is checked again. An https
 * host name that does not resolve may do so later. Plain http is only allowed in the ranges of the operator.
 */
export const couldBeReached = async (text: string, allow: readonly string[], resolve: Resolve = systemResolve): Promise<boolean> => {
  if (!isHttpUrl(text)) return false
  const { hostname, protocol, port } = new URL(text)
  const mayReach = reachRule(allow)
  const host = hostname.replace(/^\[|\]$/g, '')
  if (isIP(host)) return mayReach(host, protocol, port)
  const stop = new AbortController()
  const late = pause(TIMEOUT_MS, [], { signal: stop.signal, ref: false })
  const found = await Promise.race([resolve(host).catch(() => []), late])
  stop.abort()
  await late.catch(() => {})
  return found.length === 0 ? protocol === 'https:' : found.every(({ address }) => mayReach(address, protocol, port))
}
