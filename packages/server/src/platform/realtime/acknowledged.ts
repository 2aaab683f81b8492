import { CHANNEL } from './hearing.ts'
import type { RedisSignals } from './signals.ts'

/** What was not acknowledged by then may not have been taken. */
const ANSWER_WITHIN_MS = 250
/** More is not sent to a Redis that acknowledges nothing. */
const MOST_UNDER_WAY = 100

/**
 * Says texts through Redis and tells whether it took them. When it takes something again after it did not, it is told `everything`, since
 * somebody may have heard it all the time.
 */
export const createAcknowledged = (redis: RedisSignals, everything: string) => {
  let failing = false
  let owes = false
  let underWay = 0

  const send = async (texts: readonly string[]): Promise<boolean> => {
    underWay += 1
    try {
      await redis.say(CHANNEL, texts)
      failing = false
      return true
    } catch {
      failing = true
      return false
    } finally {
      underWay -= 1
    }
  }

  const say = async (texts: readonly string[]): Promise<boolean> => {
    if (!redis.isReady() || underWay > MOST_UNDER_WAY) {
      failing = true
      owes = true
      return false
    }
    const paying = owes
    const sent = send(paying ? [everything, ...texts] : texts)
    // While it fails, nobody waits for it.
    const late = new Promise<boolean>((resolve) => {
      setTimeout(resolve, failing ? 0 : ANSWER_WITHIN_MS, false).unref()
    })
    if (paying) owes = false
    const taken = await Promise.race([sent, late])
    if (!taken) {
      failing = true
      owes = true
    }
    return taken
  }

  return {
    isFailing: () => failing,
    say,
    /** Makes up for what it did not take, once it takes something again. */
    pay: () => {
      if (owes && redis.isReady()) void say([])
    },
  }
}
