import { type App, createApp } from '../src/app.ts'
import { readConfig } from '../src/config.ts'
import { freshEnv } from './command.ts'
import type { Member, RawAnswer, World } from './world.ts'

export const SHARED_SECRET = 'the same for both instances, as it has to be'

export interface Instance {
  readonly app: App
  readonly base: string
  get(who: Member, path: string): Promise<RawAnswer>
}

const asking = (base: string) => async (who: Member, path: string) => {
  const authorization = `Basic ${Buffer.from(`${who.username}:${who.password}`).toString('base64')}`
  const response = await fetch(base + path, { headers: { authorization } })
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, body: JSON.parse(text) }
}

/** The world's own server as one of several instances. */
export const instanceOf = ({ app, base }: World): Instance => ({ app, base, get: asking(base) })

/** A second instance on the database of a world, in the same process; `follows`: with caches. */
export const openInstance = async (world: World, env: Record<string, string>, follows = true): Promise<Instance> => {
  const { config } = world.app.services
  const app = await createApp({
    config: readConfig({
      ...(await freshEnv('sqlite')),
      LYCEUM_PORT: '0',
      LYCEUM_RATE_LIMIT: 'off',
      LYCEUM_DATABASE_URL: config.databaseUrl,
      LYCEUM_SECRET: SHARED_SECRET,
      ...env,
    }),
    clock: world.clock,
    passwordCost: 4,
  })
  const base = await app.listen()
  if (!follows) app.services.caches.subscribe({ subscribeToChanges: () => null })
  await Promise.all([app.worker.stop(), app.digests.stop(), app.presence.stop(), app.rollups.stop()])
  return { app, base, get: asking(base) }
}
