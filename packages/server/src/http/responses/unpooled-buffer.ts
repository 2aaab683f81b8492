/** Buffers with memory of their own, for caches. A buffer from the pool of Node retains the whole pool of 64 KiB. */
export const ownBytes = (text: string): Buffer => {
  const out = Buffer.allocUnsafeSlow(Buffer.byteLength(text))
  out.write(text)
  return out
}

/** Concatenates several buffers in the same way. */
export const ownConcat = (pieces: readonly Buffer[]): Buffer => {
  const out = Buffer.allocUnsafeSlow(pieces.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const piece of pieces) at += piece.copy(out, at)
  return out
}
