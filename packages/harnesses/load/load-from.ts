import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Job, Report } from './job.ts'
import type { Crowd } from './mix.ts'

export interface Generator {
  run(job: Job): Promise<Report>
  stop(): Promise<void>
}

/** Starts a load generator process. */
export const startGenerator = async (crowd: Crowd): Promise<Generator> => {
  const { NODE_OPTIONS: _options, ...env } = process.env
  const program = fileURLToPath(new URL('./generator.ts', import.meta.url))
  const child = fork(program, [JSON.stringify(crowd)], {
    execPath: process.execPath,
    execArgv: [],
    env,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const ended = once(child, 'exit')
  await Promise.race([once(child, 'message'), ended])
  const run = (job: Job): Promise<Report> =>
    new Promise((resolve, reject) => {
      const gone = () => reject(new Error('the generator has ended'))
      child.once('exit', gone)
      child.once('message', (report) => {
        child.removeListener('exit', gone)
        resolve(report as Report)
      })
      child.send(job)
    })
  return {
    run,
    stop: async () => {
      child.kill()
      await ended
    },
  }
}
