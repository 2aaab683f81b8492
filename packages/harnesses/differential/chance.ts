import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { createRandom } from '#test/random.ts'

type Draws = Pick<typeof crypto, 'randomBytes' | 'randomInt' | 'randomUUID'>

/** Replaces the random source of this process so that two servers draw the same values. */
export interface Chance {
  /** Seeds all following random values. */
  begin(seed: number): void
  restore(): void
}

const uuidOf = (bytes: Buffer) => {
  const hex = bytes.toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}` as const
}

/**
 * Replaces the random functions of Node.js with deterministic ones until restored, so that two servers that do the same work draw the same
 * values.
 */
export const takeChance = (): Chance => {
  const { randomBytes, randomInt, randomUUID } = crypto
  const before: Draws = { randomBytes, randomInt, randomUUID }
  let random = createRandom(1)
  const bytes = (size: number) => Buffer.from(Uint8Array.from({ length: size }, () => random.int(256)))
  const drawn = {
    randomBytes: (size: number, callback?: (error: Error | null, buffer: Buffer) => void) => {
      const made = bytes(size)
      if (callback) process.nextTick(callback, null, made)
      return made
    },
    randomInt: (low: number, high?: number) => (high === undefined ? random.int(low) : low + random.int(high - low)),
    randomUUID: () => uuidOf(bytes(16)),
  }
  Object.assign(crypto, drawn)
  syncBuiltinESMExports()
  return {
    begin: (seed) => {
      random = createRandom(seed)
    },
    restore: () => {
      Object.assign(crypto, before)
      syncBuiltinESMExports()
    },
  }
}
