import type { Services } from '../core/context.ts'
import { tooMany } from '../core/errors.ts'
import { networkOf, wideNetworkOf } from '../limits/ip-prefix.ts'
import { fingerprint } from '../secrets/fingerprint.ts'

type Limits = Pick<Services, 'limiter' | 'config'>

/** At most `most` failed tries in `seconds`. */
interface Counter {
  readonly key: string
  readonly most: number
  readonly seconds: number
}

const perMinute = (key: string): Counter => ({ key: `fail:${key}`, most: 10, seconds: 60 })

/** Tries from an address, whatever they are about. */
export const addressTries = (ip: string): Counter => perMinute(`ip:${networkOf(ip)}`)

/** Tries from a network that usually has one owner: whoever has many addresses there must not keep the hashing of passwords busy. */
export const networkTries = (ip: string): Counter => ({ key: `fail:network:${wideNetworkOf(ip)}`, most: 100, seconds: 60 })

type Keyed = Pick<Services, 'keys'>

// By the login as it was typed and not by the account: the counters of a username and of an e-mail address must not reveal that both
// belong together, or that there is such an account.
const typed = ({ keys }: Keyed, login: string) => fingerprint(keys.fingerprints, login)

/** Tries for a login from one address. The window is longer than a minute, so that patience pays less. */
export const pairTries = (services: Keyed, ip: string, login: string): Counter => ({
  key: `fail:pair:${networkOf(ip)}:${typed(services, login)}`,
  most: 20,
  seconds: 900,
})

/** Tries for a login from all addresses together. */
export const loginTries = (services: Keyed, login: string): Counter => perMinute(`login:${typed(services, login)}`)

/** Tries by somebody who is known already: a signed-in session, or a browser that signed in before. Strangers do not use this up. */
export const knownTries = (who: string): Counter => perMinute(`known:${who}`)

/**
 * Counts a try to guess a secret, before it is checked, so that parallel ones cannot slip through. One that is refused counts for the
 * counter that refuses it alone: the narrowest should come first.
 * @throws rate_limit_exceeded
 */
export const countTry = async (limits: Limits, counters: readonly Counter[]): Promise<void> => {
  const { limiter, config } = limits
  if (config.rateLimit === 'off') return
  for (const [i, { key, most, seconds }] of counters.entries()) {
    const standing = await limiter.hit(key, most, seconds)
    if (standing.allowed) continue
    refundTry(limits, counters.slice(0, i))
    throw tooMany(standing.retryAfter)
  }
}

/** Takes a counted try back: it was right, or it was not made. */
export const refundTry = ({ limiter, config }: Limits, counters: readonly Counter[]): void => {
  if (config.rateLimit === 'off') return
  for (const { key, seconds } of counters) limiter.refund(key, seconds)
}
