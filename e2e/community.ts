import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'

/** Somebody who can sign in. */
export interface Person {
  readonly username: string
  readonly password: string
  readonly name: string
}

/** Who is there before anything begins. */
export const ADMIN: Person = { username: 'ana', password: 'Quiet-river-7431', name: 'Ana Lindqvist' }

export interface Stage {
  /** Where the app is: `http://127.0.0.1:12345`. */
  readonly origin: string
  /** With which the administrator's own calls are made. */
  readonly appPassword: string
  /** Where the community lies. */
  readonly folder: string
  /** Where the first administrator is made, while there is none. */
  readonly setupLink: string | null
}

/** How much of everything a community has: `{ posts: 150 }`. */
export type Amounts = Readonly<Partial<Record<'members' | 'spaces' | 'posts' | 'comments' | 'reactions' | 'courses', number>>>

const SMALL: Amounts = { members: 120, spaces: 10, posts: 150, comments: 400, reactions: 800 }
/** Just enough that no page is empty. */
export const TINY: Amounts = { members: 12, spaces: 3, posts: 10, comments: 10, reactions: 20, courses: 0 }
const PROGRAM = resolve('packages/server/bin/lyceum.mjs')

/** What a server says when it starts. */
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

/** Builds the app unless it is `built`, fills a community and serves it, as whoever runs one does. `stop` ends the server and removes the community. */
export const serveCommunity = async (
  amounts: Amounts | null = SMALL,
  settings: Readonly<Record<string, string>> = {},
  built = false,
): Promise<{ readonly stage: Stage; readonly stop: () => Promise<void> }> => {
  const folder = mkdtempSync(join(tmpdir(), 'lyceum-e2e-'))
  const env = {
    PATH: process.env['PATH'],
    HOME: folder,
    LYCEUM_DATA_DIR: folder,
    LYCEUM_PORT: '0',
    LYCEUM_LOG_LEVEL: 'error',
    LYCEUM_RATE_LIMIT: 'off',
    // Journeys serve the pages that a link leads to.
    LYCEUM_OUTBOUND_ALLOW: '127.0.0.0/8',
    ...settings,
  }
  const run = (...args: string[]) =>
    execFileSync(process.execPath, [PROGRAM, ...args], { env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
  if (!built) execFileSync(process.execPath, ['scripts/build.ts', '--strict'], { stdio: 'inherit' })
  const filled = amounts && Object.entries(amounts).flatMap(([what, number]) => [`--${what}`, String(number)])
  if (filled) run('demo', ...filled)
  const { username, password, name } = ADMIN
  const about = ['--username', username, '--email', 'ana@example.org', '--password', password, '--display-name', name]
  if (filled) run('user', 'create', ...about, '--role', 'admin')
  const appPassword = filled ? run('user', 'app-password', username, '--name', 'journeys').trim() : ''
  const server = spawn(process.execPath, [PROGRAM, 'serve'], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  const kill = () => server.kill('SIGKILL')
  process.once('exit', kill)
  const addresses = await addressesOf(server.stdout)
  const stop = async () => {
    process.removeListener('exit', kill)
    server.kill('SIGTERM')
    await once(server, 'exit')
    rmSync(folder, { recursive: true })
  }
  return { stage: { ...addresses, appPassword, folder }, stop }
}
