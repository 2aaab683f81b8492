import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { type Service, scratchFolder, startPrivateServer } from './private-server.ts'
import { findRedis } from './programs.ts'

export async function startRedis(): Promise<Service> {
  const program = findRedis()
  if (!program) throw new Error('Redis was not found')
  const folder = scratchFolder('redis')
  const password = randomBytes(12).toString('hex')
  const port = await freePort()
  const settings = ['bind 127.0.0.1', `port ${port}`, `requirepass ${password}`, 'save ""', 'appendonly no', `dir ${folder}`]
  const file = join(folder, 'redis.conf')
  writeFileSync(file, `${settings.join('\n')}\n`, { mode: 0o600 })
  const stop = await startPrivateServer({ command: [program, file], folder, stopSignal: 'TERM', ready: /ready to accept connections/i })
  return { url: `redis://:${password}@127.0.0.1:${port}`, stop }
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  await once(probe, 'close')
  return port
}
