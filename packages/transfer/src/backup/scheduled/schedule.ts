import { spawn } from 'node:child_process'
import { setPriority } from 'node:os'
import { text } from 'node:stream/consumers'
import { nowOf } from '../../../../server/src/core/clock.ts'
import type { Services } from '../../../../server/src/core/context.ts'
import { createPeriodic } from '../../../../server/src/util/periodic.ts'
import { isDue } from './state.ts'

const LONGEST_POLL_MS = 60_000
const NICE = 10
const MEMORY_MIB = 512

/** Starts scheduled backups in separate low-priority processes. Of several instances, only one makes each backup. */
export const scheduleBackups = ({ config, database, clock, log }: Services, program: string) => {
  let stopChild = () => {}
  const makeBackup = async (): Promise<void> => {
    const args = [...process.execArgv, `--max-old-space-size=${MEMORY_MIB}`, program, 'backup', '--scheduled']
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'] })
    const ended = new Promise<number | null>((done, failed) => child.once('error', failed).once('close', done))
    if (child.pid !== undefined) setPriority(child.pid, NICE)
    stopChild = () => child.kill('SIGTERM')
    const [code, said] = await Promise.all([ended, text(child.stderr)])
    // Null: the process was stopped by a signal.
    if (code !== 0 && code !== null) throw new Error(said.trim() || `it ended with ${code}`)
  }
  const loop = createPeriodic({
    everyMs: Math.min(LONGEST_POLL_MS, (config.backupEvery * 1000) / 5),
    run: async (shouldContinue) => {
      if ((await isDue(database.read, nowOf(clock), config.backupEvery)) && shouldContinue()) await makeBackup()
    },
    onError: (err) => log.error({ event: 'backup_failed', err }, 'a scheduled backup failed'),
  })
  loop.start()
  return {
    stop: async () => {
      stopChild()
      await loop.stop()
    },
  }
}
