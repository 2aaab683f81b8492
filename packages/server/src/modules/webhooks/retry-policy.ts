const HOUR = 3600
/** Seconds before each retry. The first is soon; three retries outlast an outage of two hours, ten one of three days. */
const DELAYS = [5, 10 * 60, 2 * HOUR, 4 * HOUR, 6 * HOUR, 8 * HOUR, 12 * HOUR, 12 * HOUR, 14 * HOUR, 16 * HOUR] as const
const JITTER = 0.2
export const LONGEST_DELAY_S = 20 * HOUR

/** 2³² divided by the golden ratio: its multiples are evenly spread. */
const GOLDEN = 0x9e3779b1
const spread = ({ event_id, webhook_id }: DeliveryRef, tries: number): number =>
  (Math.imul((event_id * 31 + webhook_id) * 31 + tries, GOLDEN) >>> 0) / 2 ** 32

interface DeliveryRef {
  readonly event_id: number
  readonly webhook_id: number
}

/**
 * Seconds to wait after failed attempt number `tries` (from 1), with jitter against bursts. The jitter is a hash of the delivery, so it is
 * deterministic.
 */
export const delayAfter = (tries: number, delivery: DeliveryRef): number => {
  const delay = DELAYS[Math.min(tries, DELAYS.length) - 1] ?? DELAYS[0]
  return delay + Math.floor(spread(delivery, tries) * (Math.ceil(delay * JITTER) + 1))
}

/** A failed attempt slower than `SLOW_MS` occupies a sender; after `SLOW_FAILURES` in a row the webhook is paused. */
export const SLOW_MS = 2000
export const SLOW_FAILURES = 4
const SHORTEST_PAUSE_S = 15
export const LONGEST_PAUSE_S = 15 * 60

/** Seconds to pause after this many slow failures in a row; 0: no pause. */
export const pauseAfter = (failures: number): number =>
  failures < SLOW_FAILURES ? 0 : Math.min(LONGEST_PAUSE_S, SHORTEST_PAUSE_S * 2 ** Math.min(20, failures - SLOW_FAILURES))
