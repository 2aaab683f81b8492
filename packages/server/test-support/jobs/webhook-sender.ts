import { createCore } from '../../src/app.ts'
import { readConfig } from '../../src/config.ts'
import { createRegistry, createWorker } from '../../src/jobs/index.ts'
import { webhooks } from '../../src/modules/webhooks/module.ts'

/** Records and sends deliveries until it is killed. Its clock is ahead by the given hours: past the leases of earlier processes. */
const fast = Number(process.argv[2]) * 3600_000
const { services } = createCore({
  config: readConfig(process.env as Record<string, string>),
  clock: { now: () => new Date(Date.now() + fast) },
})
createWorker(services, createRegistry(webhooks.listeners ?? [], webhooks.jobs ?? [])).start()
// The worker alone does not keep the process alive.
setInterval(() => {}, 60_000)
