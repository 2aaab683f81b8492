/** Resolves or rejects like `work`, or resolves to `late` after this many milliseconds. */
export const withTimeout = async <T, L>(work: Promise<T>, ms: number, late: L): Promise<T | L> => {
  let timer: NodeJS.Timeout | undefined
  const over = new Promise<L>((resolve) => {
    // A result that arrived while this process was busy is read before the timeout takes effect.
    timer = setTimeout(() => setImmediate(resolve, late), ms)
  })
  try {
    return await Promise.race([work, over])
  } finally {
    clearTimeout(timer)
  }
}
