import type { Random } from '../random.ts'

/**
 * Deals out `total` things by weight, at most `cap(i)` each: exactly `total` as long as there is room.
 * Systematic sampling: everyone gets their share rounded down or up.
 */
export function allocate(weights: Float64Array, total: number, cap: (index: number) => number, random: Random): Int32Array {
  const counts = new Int32Array(weights.length)
  let left = total
  while (left > 0) {
    let sum = 0
    for (let i = 0; i < weights.length; i++) if (counts[i]! < cap(i)) sum += weights[i]!
    if (sum <= 0) break
    const share = left / sum
    const before = left
    let reached = random.float()
    for (let i = 0; i < weights.length; i++) {
      const room = cap(i) - counts[i]!
      if (room <= 0) continue
      const next = reached + weights[i]! * share
      const given = Math.min(room, Math.floor(next) - Math.floor(reached))
      counts[i]! += given
      left -= given
      reached = next
    }
    // only rounding stands between the last ones and their place
    if (left === before) break
  }
  for (let i = 0; left > 0 && i < weights.length; i++) {
    const given = Math.min(left, cap(i) - counts[i]!)
    if (weights[i]! <= 0 || given <= 0) continue
    counts[i]! += given
    left -= given
  }
  return counts
}

/** The order in which to read the beats so that they rise; ties keep their order. */
export function orderByBeat(beats: Uint32Array): Int32Array {
  const low = new Int32Array(beats.length)
  const order = new Int32Array(beats.length)
  pass(beats, null, low, 0)
  pass(beats, low, order, 13)
  return order
}

/** One pass of a radix sort over 13 of a beat's 26 bits. */
function pass(beats: Uint32Array, from: Int32Array | null, to: Int32Array, shift: number): void {
  const places = new Int32Array(8193)
  for (let i = 0; i < beats.length; i++) places[((beats[i]! >>> shift) & 8191) + 1]!++
  for (let digit = 0; digit < 8192; digit++) places[digit + 1]! += places[digit]!
  for (let i = 0; i < beats.length; i++) {
    const index = from ? from[i]! : i
    to[places[(beats[index]! >>> shift) & 8191]!++] = index
  }
}

export function total(counts: Int32Array): number {
  let sum = 0
  for (let i = 0; i < counts.length; i++) sum += counts[i]!
  return sum
}
