import type { Member } from '#test/world.ts'

/** Maximum milliseconds of any request while a peer misbehaves, given the slowest request on the idle server. */
export const latencyLimit = (calm: number): number => 1000 + 10 * calm

/** Milliseconds of the slowest request on an otherwise idle server. */
export const baselineOf = async (who: Member): Promise<number> => {
  let slowest = 0
  for (let n = 0; n < 10; n++) {
    const before = performance.now()
    await who.api.feeds.list({})
    slowest = Math.max(slowest, performance.now() - before)
  }
  return slowest
}

/** Repeatedly requests a page of feeds while `work` is pending. @returns the result, its duration and that of the slowest request in ms */
export const measureDuring = async <T>(
  who: Member,
  work: Promise<T>,
): Promise<{ value: T; ms: number; slowest: number; asked: number }> => {
  const started = performance.now()
  let over = false
  let slowest = 0
  let asked = 0
  const ended = work.finally(() => {
    over = true
  })
  while (!over) {
    const before = performance.now()
    await who.api.feeds.list({})
    slowest = Math.max(slowest, performance.now() - before)
    asked += 1
  }
  const value = await ended
  return { value, ms: performance.now() - started, slowest, asked }
}

/** Whether it ended before the timeout. */
export const endsWithin = async (work: Promise<unknown>, ms: number): Promise<boolean> => {
  const late = Promise.withResolvers<false>()
  const timer = setTimeout(() => late.resolve(false), ms)
  const ended = await Promise.race([
    work.then(
      () => true as const,
      () => true as const,
    ),
    late.promise,
  ])
  clearTimeout(timer)
  return ended
}
