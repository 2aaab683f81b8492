import { setTimeout as pause } from 'node:timers/promises'
import type { Services } from '../../server/src/core/context.ts'
import { backfillLedger, updatePeriods } from '../../server/src/modules/leaderboard/index.ts'
import { GAP_MS } from './write/writer.ts'

interface PointsOptions {
  readonly services: Services
  /** Whether a server is running, so that writes leave gaps for it. */
  readonly beside: boolean
  readonly signal: AbortSignal
}

/** Gives the people of the community the points that their posts, comments, reactions and courses are worth. */
export const insertPoints = async ({ services, beside, signal }: PointsOptions): Promise<void> => {
  const goOn = async () => {
    if (beside) await pause(GAP_MS)
    return !signal.aborted
  }
  await backfillLedger({ database: services.database, shouldContinue: goOn })
  if (!signal.aborted) await updatePeriods(services)
}
