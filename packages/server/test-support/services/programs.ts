import { accessSync, constants, globSync, realpathSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'

const POSTGRES_HOMES = [
  '/usr/lib/postgresql/*/bin',
  '/usr/pgsql-*/bin',
  '/opt/homebrew/opt/postgresql*/bin',
  '/usr/local/opt/postgresql*/bin',
  '/Applications/Postgres.app/Contents/Versions/*/bin',
]

const CHROMIUM_NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
const CHROMIUM_APPS = ['/Applications/Chromium.app/Contents/MacOS/Chromium', '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome']

const isProgram = (path: string) => {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

const searchPath = () => (process.env.PATH ?? '').split(delimiter).filter(Boolean)
const onPath = (name: string) =>
  searchPath()
    .map((folder) => join(folder, name))
    .find(isProgram)

/** Folder of the PostgreSQL binaries: the one on PATH, or else the newest in a usual location. */
export function findPostgres(): string | undefined {
  const initdb = onPath('initdb')
  const newestFirst = (a: string, b: string) => b.localeCompare(a, 'en', { numeric: true })
  const folders = [...(initdb ? [dirname(realpathSync(initdb))] : []), ...globSync(POSTGRES_HOMES).sort(newestFirst)]
  return folders.find((folder) => isProgram(join(folder, 'initdb')) && isProgram(join(folder, 'postgres')))
}

export const findRedis = () => onPath('redis-server') ?? onPath('valkey-server')

/** Debian installs it in a folder that is not on the PATH of ordinary users. */
export const findPgbouncer = () => onPath('pgbouncer') ?? ['/usr/sbin/pgbouncer', '/usr/local/sbin/pgbouncer'].find(isProgram)

export const findChromium = () => CHROMIUM_NAMES.map(onPath).find(Boolean) ?? CHROMIUM_APPS.find(isProgram)

/** Takes half the time of Chromium, but has no push messages. */
export const findHeadlessShell = () => onPath('chromium-headless-shell') ?? findChromium()

/** Services missing on this machine, and what is not tested without them. */
export function missingServices(): string[] {
  const missing: string[] = []
  if (!process.env.LYCEUM_TEST_POSTGRES_URL && !findPostgres()) missing.push('PostgreSQL was not found: nothing was tested on it')
  if (!process.env.LYCEUM_TEST_REDIS_URL && !findRedis()) missing.push('Redis was not found: what several instances share was not tested')
  if (!findPgbouncer()) missing.push('PgBouncer was not found: nothing was tested behind a pooler of connections')
  if (!findChromium()) missing.push('Chromium was not found: the web app was not tested in a browser')
  return missing
}
