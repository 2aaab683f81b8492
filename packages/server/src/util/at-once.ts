/**
 * Does `work` for each item, for `most` of them at the same time. `turn` counts from 0 to `most` - 1; no two items have the same one at the
 * same time. When it rejects, nothing is running any more.
 */
export const forEachAtOnce = async <T>(
  most: number,
  items: readonly T[],
  work: (item: T, turn: number) => Promise<void>,
): Promise<void> => {
  let next = 0
  const takeTurn = async (turn: number) => {
    try {
      while (next < items.length) await work(items[next++] as T, turn)
    } catch (error) {
      next = items.length
      throw error
    }
  }
  const turns = await Promise.allSettled(Array.from({ length: Math.min(most, items.length) }, (_, turn) => takeTurn(turn)))
  const failed = turns.find((turn) => turn.status === 'rejected')
  if (failed) throw failed.reason
}
