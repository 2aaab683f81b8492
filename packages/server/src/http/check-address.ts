import { once } from 'node:events'
import { createServer } from 'node:net'
import { type Config, ConfigError } from '../config.ts'

/** @throws ConfigError if the server could not listen */
export const checkAddress = async ({ host, port }: Pick<Config, 'host' | 'port'>): Promise<void> => {
  const probe = createServer()
  try {
    await once(probe.listen(port, host), 'listening')
    await once(probe.close(), 'close')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EADDRINUSE') throw new ConfigError(`LYCEUM_PORT ${port} is in use on ${host}, by another server or program`)
    throw new ConfigError(`LYCEUM_HOST ${host} and LYCEUM_PORT ${port} cannot be listened on (${code})`)
  }
}
