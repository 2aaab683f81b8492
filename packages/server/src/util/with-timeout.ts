/** Resolves or rejects like `work`, or resolves to `late` after this many milliseconds. */
export const withTimeout = async <T, L>(work: Promise<T>, ms: number, late: L): Promise<T | L> => {
  let timer: NodeJS.Timeout | undefined
  const over = new Promise<L>((resolve) => {
    timer = setTimeout(resolve, ms, late)
  })
  try {
    return await Promise.race([work, over])
  } finally {
    clearTimeout(timer)
  }
}
