/**
 * Bytes with memory of their own, for what is kept: those that Node takes from its pool hold all of the pool, 64 KiB, for as long as they are
 * kept themselves.
 */
export const ownBytes = (text: string): Buffer => {
  const out = Buffer.allocUnsafeSlow(Buffer.byteLength(text))
  out.write(text)
  return out
}

/** The same of several pieces, one after the other. */
export const ownConcat = (pieces: readonly Buffer[]): Buffer => {
  const out = Buffer.allocUnsafeSlow(pieces.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const piece of pieces) at += piece.copy(out, at)
  return out
}
