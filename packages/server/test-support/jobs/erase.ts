import { createCore } from '../../src/app.ts'
import { readConfig } from '../../src/config.ts'
import { createRegistry, createWorker } from '../../src/jobs/index.ts'
import { MODULES } from '../../src/modules/index.ts'

/** Erases an account in batches and exits at the given batch: before it is committed, or around that time. */
const last = Number(process.argv[2])
const { services } = createCore({ config: readConfig(process.env as Record<string, string>) })
const die = () => process.kill(process.pid, 'SIGKILL')

let done = 0
const listeners = MODULES.flatMap((module) => module.listeners ?? [])
const jobs = MODULES.flatMap((module) => module.jobs ?? []).map((job) => {
  const { name, run } = job
  if (name !== 'privacy.forget' || !run) return job
  return {
    ...job,
    run: async (...given: Parameters<typeof run>) => {
      await run(...given)
      if (++done !== last) return
      if (last % 2 === 0) die()
      else setImmediate(die)
    },
  }
})
createWorker(services, createRegistry(listeners, jobs)).start()
// The worker alone does not keep the process alive.
setInterval(() => {}, 60_000)
