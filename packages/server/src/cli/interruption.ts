/** Aborts on the first Ctrl-C or termination; the second one ends the process as usual. */
export const interruption = () => {
  const controller = new AbortController()
  const stop = () => controller.abort()
  process.once('SIGINT', stop)
  process.once('SIGTERM', stop)
  return {
    signal: controller.signal,
    forget: () => {
      process.off('SIGINT', stop)
      process.off('SIGTERM', stop)
    },
  }
}

/** The exit code that shells expect after Ctrl-C. */
export const INTERRUPTED = 130
