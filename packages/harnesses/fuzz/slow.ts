/** Operations that wait for an external service, with their timeout in ms. */
const WAITS: Readonly<Record<string, number>> = { 'webhooks.test': 10_000, 'media.oembed': 10_000, 'gif.search': 3000 }
const SLOW_MS = 1000

/** Whether the server itself exceeded the time limit for a response. */
export const isSlow = (operation: string, ms: number): boolean => ms > SLOW_MS + (WAITS[operation] ?? 0)
