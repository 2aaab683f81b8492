import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'

/** A user who can sign in. */
export interface Person {
  readonly username: string
  readonly password: string
  readonly name: string
}

/** The administrator of the community. */
export const ADMIN: Person = { username: 'ana', password: 'Quiet-river-7431', name: 'Ana Lindqvist' }

export interface Stage {
  /** Origin of the app: `http://127.0.0.1:12345`. */
  readonly origin: string
  /** Application password for the administrator's API calls. */
  readonly appPassword: string
  /** Data directory. */
  readonly folder: string
  /** Copy of the data directory from before the server started. */
  readonly untouched: string
  /** Link to create the first administrator, while there is none. */
  readonly setupLink: string | null
}

/** Amounts of demo data: `{ posts: 150 }`. */
export type Amounts = Readonly<Partial<Record<'members' | 'spaces' | 'posts' | 'comments' | 'reactions' | 'courses', number>>>

const SMALL: Amounts = { members: 120, spaces: 10, posts: 150, comments: 400, reactions: 800 }
const PROGRAM = resolve('packages/server/bin/lyceum.mjs')
const QUICK_PASSWORDS = `--import=${pathToFileURL(resolve('e2e/quick-passwords.mjs'))}`

/** Reads the addresses the server prints at startup. */
const addressesOf = async (lines: NodeJS.ReadableStream): Promise<Pick<Stage, 'origin' | 'setupLink'>> => {
  let setupLink: string | null = null
  for await (const line of createInterface(lines)) {
    setupLink = /first administrator: (\S+)/.exec(line)?.[1] ?? setupLink
    const found = /listening on (\S+)/.exec(line)?.[1]
    if (!found) continue
    lines.resume()
    return { origin: new URL(found).origin, setupLink }
  }
  throw new Error('the server did not start')
}

/**
 * Builds the app if necessary and starts a server with demo data, a copy of another community, or no data. `stop` ends the server and
 * deletes the data.
 */
export const serveCommunity = async (
  content: Amounts | Stage | null = SMALL,
  settings: Readonly<Record<string, string>> = {},
): Promise<{ readonly stage: Stage; readonly stop: () => Promise<void> }> => {
  const folder = mkdtempSync(join(tmpdir(), 'lyceum-e2e-'))
  const untouched = `${folder}-untouched`
  const compiled = `${content !== null && 'folder' in content ? content.folder : folder}-compiled`
  const env = {
    PATH: process.env['PATH'],
    HOME: folder,
    NODE_OPTIONS: QUICK_PASSWORDS,
    // Copies of a community share its compile cache, which halves the startup time.
    NODE_COMPILE_CACHE: compiled,
    LYCEUM_DATA_DIR: folder,
    LYCEUM_PORT: '0',
    LYCEUM_LOG_LEVEL: 'error',
    LYCEUM_RATE_LIMIT: 'off',
    // Journeys serve the pages behind link previews.
    LYCEUM_OUTBOUND_ALLOW: '127.0.0.0/8',
    ...settings,
  }
  const run = (...args: string[]) =>
    execFileSync(process.execPath, [PROGRAM, ...args], { env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
  const fill = (amounts: Amounts): string => {
    execFileSync(process.execPath, ['scripts/build.ts', '--strict'], { stdio: 'inherit' })
    run('demo', ...Object.entries(amounts).flatMap(([what, number]) => [`--${what}`, String(number)]))
    const { username, password, name } = ADMIN
    const about = ['--username', username, '--email', 'ana@example.org', '--password', password, '--display-name', name]
    run('user', 'create', ...about, '--role', 'admin')
    const appPassword = run('user', 'app-password', username, '--name', 'journeys').trim()
    cpSync(folder, untouched, { recursive: true })
    return appPassword
  }
  const copy = (stage: Stage): string => {
    cpSync(stage.untouched, folder, { recursive: true })
    return stage.appPassword
  }
  const appPassword = content === null ? '' : 'untouched' in content ? copy(content) : fill(content)
  const server = spawn(process.execPath, [PROGRAM, 'serve'], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  const kill = () => server.kill('SIGKILL')
  process.once('exit', kill)
  const addresses = await addressesOf(server.stdout)
  const stop = async () => {
    process.removeListener('exit', kill)
    server.kill('SIGTERM')
    await once(server, 'exit')
    for (const path of [folder, untouched, `${folder}-compiled`]) rmSync(path, { recursive: true, force: true })
  }
  return { stage: { ...addresses, appPassword, folder, untouched }, stop }
}
