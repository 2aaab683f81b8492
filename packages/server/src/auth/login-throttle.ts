import type { Services } from '../core/context.ts'
import { tooMany } from '../core/errors.ts'
import { networkOf, wideNetworkOf } from '../limits/ip-prefix.ts'
import { fingerprint } from '../secrets/fingerprint.ts'

type Limits = Pick<Services, 'limiter' | 'config'>

/** At most `most` failed attempts in `seconds`. */
interface Counter {
  readonly key: string
  readonly most: number
  readonly seconds: number
}

const perMinute = (key: string): Counter => ({ key: `fail:${key}`, most: 10, seconds: 60 })

/** Attempts from an address, for any login. */
export const addressTries = (ip: string): Counter => perMinute(`ip:${networkOf(ip)}`)

/** Attempts from a network that usually has one owner. An attacker with many addresses must not saturate password hashing. */
export const networkTries = (ip: string): Counter => ({ key: `fail:network:${wideNetworkOf(ip)}`, most: 100, seconds: 60 })

type Keyed = Pick<Services, 'keys'>

// Keyed by the login as typed, not by the account: the counters must not reveal whether an account exists or which email address belongs to
// a username.
const typed = ({ keys }: Keyed, login: string) => fingerprint(keys.fingerprints, login)

/** Attempts for a login from one address. The long window makes patient attackers slower. */
export const pairTries = (services: Keyed, ip: string, login: string): Counter => ({
  key: `fail:pair:${networkOf(ip)}:${typed(services, login)}`,
  most: 20,
  seconds: 900,
})

/** Attempts for a login from all addresses. */
export const loginTries = (services: Keyed, login: string): Counter => perMinute(`login:${typed(services, login)}`)

/** Attempts from a signed-in session or a browser that signed in before. Attempts from unknown browsers do not count here. */
export const knownTries = (who: string): Counter => perMinute(`known:${who}`)

/**
 * Counts an attempt before the secret is checked, so that parallel attempts cannot bypass the limit. A rejected attempt counts only for the
 * counter that rejects it; pass the narrowest counter first.
 * @throws rate_limit_exceeded
 */
export const countTry = async (limits: Limits, counters: readonly Counter[]): Promise<void> => {
  const { limiter, config } = limits
  if (config.rateLimit === 'off') return
  for (const [i, { key, most, seconds }] of counters.entries()) {
    const result = await limiter.hit(key, most, seconds)
    if (result.allowed) continue
    refundTry(limits, counters.slice(0, i))
    throw tooMany(result.retryAfter)
  }
}

/** Refunds an attempt that was successful or not made. */
export const refundTry = ({ limiter, config }: Limits, counters: readonly Counter[]): void => {
  if (config.rateLimit === 'off') return
  for (const { key, seconds } of counters) limiter.refund(key, seconds)
}
