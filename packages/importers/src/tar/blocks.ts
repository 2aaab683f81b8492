/** The blocks of the tar format (ustar, with the extended headers of pax). */

export const BLOCK = 512
export const LONGEST_NAME = 100
export const LONGEST_PREFIX = 155
/** Offset and length of header fields. */
export const FIELDS = {
  name: [0, LONGEST_NAME],
  size: [124, 12],
  checksum: [148, 8],
  type: [156, 1],
  prefix: [345, LONGEST_PREFIX],
} as const

export const checksum = (header: Buffer): number => {
  let sum = 8 * 0x20
  for (let i = 0; i < BLOCK; i++) if (i < 148 || i >= 156) sum += header[i] ?? 0
  return sum
}

export const paddingOf = (size: number): number => (BLOCK - (size % BLOCK)) % BLOCK
