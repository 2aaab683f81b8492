interface PeriodicOptions {
  /** Milliseconds from the end of a run to the start of the next. */
  readonly everyMs: number
  /** Milliseconds from the start of the loop to the first run; `everyMs` by default. */
  readonly firstAfterMs?: number
  /** Long work should end early once `shouldContinue` returns false, because the loop is being stopped. */
  readonly run: (shouldContinue: () => boolean) => Promise<unknown>
  /** Receives the error of a failed run; the loop goes on. */
  readonly onError: (error: unknown) => void
}

/** Runs work again and again in the background. Runs never overlap, and the timer does not keep the process alive. */
export const createPeriodic = ({ everyMs, firstAfterMs = everyMs, run, onError }: PeriodicOptions) => {
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | null = null
  let stops = 0

  const runNow = (): Promise<void> => {
    const before = stops
    running ??= run(() => stops === before)
      .then(() => {}, onError)
      .finally(() => {
        running = null
      })
    return running
  }

  const schedule = (delay: number) => {
    if (stops === 0) timer = setTimeout(() => void runNow().then(() => schedule(everyMs)), delay).unref()
  }

  return {
    /** Does nothing if the loop is running. */
    start: () => {
      if (!timer) schedule(firstAfterMs)
    },
    /** Runs immediately, even after `stop`, or joins the run in progress. Never rejects. */
    runNow,
    /** Resolves when the run in progress, if any, has ended. */
    settled: async () => {
      await running
    },
    /** Waits for the run in progress. */
    stop: async () => {
      stops += 1
      clearTimeout(timer)
      await running
    },
  }
}
