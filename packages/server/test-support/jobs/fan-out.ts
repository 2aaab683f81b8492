import { createCore } from '../../src/app.ts'
import { readConfig } from '../../src/config.ts'
import { createRegistry, createWorker } from '../../src/jobs/index.ts'
import { delivery } from '../../src/modules/notifications/delivery/module.ts'
import { notifications } from '../../src/modules/notifications/module.ts'

/** Notifies members in batches and exits at the given batch: before it is committed, or around that time. */
const last = Number(process.argv[2])
const { services } = createCore({ config: readConfig(process.env as Record<string, string>) })
const die = () => process.kill(process.pid, 'SIGKILL')

let told = 0
const jobs = (notifications.jobs ?? []).map(({ run, ...job }) => ({
  ...job,
  run: async (...given: Parameters<NonNullable<typeof run>>) => {
    await run?.(...given)
    if (++told !== last) return
    if (last % 2 === 0) die()
    else setImmediate(die)
  },
}))
createWorker(services, createRegistry(notifications.listeners ?? [], [...jobs, ...(delivery.jobs ?? [])])).start()
// The worker alone does not keep the process alive.
setInterval(() => {}, 60_000)
