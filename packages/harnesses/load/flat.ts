/** Measured values in chronological order. */
export type Series = Readonly<Record<string, readonly number[]>>

export interface Bound {
  /** Maximum growth during the second half. */
  readonly growth: number
  /** Upper limit at any time. */
  readonly most: number
}

const LEAST = 12

const median = (list: readonly number[]): number => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)] ?? 0

const quarter = (list: readonly number[], n: number) =>
  list.slice(Math.floor((list.length * (n - 1)) / 4), Math.floor((list.length * n) / 4))

/**
 * Growth during the second half, from the medians of its last two quarters. Fluctuations, such as memory before a garbage collection, and
 * one-time growth at the start do not count.
 */
export const growthOf = (list: readonly number[]): number => 2 * (median(quarter(list, 4)) - median(quarter(list, 3)))

/** The values that are not flat; empty when all are. */
export const notFlat = (series: Series, bounds: Readonly<Record<string, Bound>>): string[] =>
  Object.entries(bounds).flatMap(([name, { growth, most }]) => {
    const list = series[name] ?? []
    if (list.length < LEAST) return [`${name} was looked at ${list.length} times`]
    const grown = growthOf(list)
    const highest = Math.max(...list)
    return [
      ...(grown > growth ? [`${name} grew by ${grown.toFixed(1)} during the second half`] : []),
      ...(highest > most ? [`${name} came to ${highest.toFixed(1)}`] : []),
    ]
  })
