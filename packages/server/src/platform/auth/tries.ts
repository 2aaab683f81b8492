import type { Services } from '../context.ts'
import { ApiError } from '../errors.ts'
import { networkOf } from '../limits/network.ts'

/** Most failed tries in a window, for an account and for an address. */
const MOST = 10
const WINDOW_S = 60

export const tooMany = (retryAfter: number) => new ApiError('rate_limit_exceeded', { data: { retry_after: Math.max(1, retryAfter) } })

type Limits = Pick<Services, 'limiter' | 'config'>

/** What a try counts against: the address, and the account it is about (`user:7`, or `login:NAME` for one that does not exist). */
export const tryKeys = (ip: string, account = ''): string[] => [`fail:ip:${networkOf(ip)}`, ...(account ? [`fail:${account}`] : [])]

/**
 * Counts a try to guess a secret, before it is checked, so that parallel ones cannot slip through.
 * @throws rate_limit_exceeded when the address or the account has used up its failed tries
 */
export const countTry = async ({ limiter, config }: Limits, keys: readonly string[]): Promise<void> => {
  if (config.rateLimit === 'off') return
  for (const key of keys) {
    const standing = await limiter.hit(key, MOST, WINDOW_S)
    if (!standing.allowed) throw tooMany(standing.retryAfter)
  }
}

/** Takes a counted try back: it was right, or it was not made. */
export const refundTry = ({ limiter, config }: Limits, keys: readonly string[]): void => {
  if (config.rateLimit === 'off') return
  for (const key of keys) limiter.refund(key, WINDOW_S)
}
