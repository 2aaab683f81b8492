import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import type { TestProject } from 'vitest/node'

/** Who is there before any journey begins. */
export const ADMIN = { username: 'ana', password: 'Quiet-river-7431', name: 'Ana Lindqvist' } as const

export interface Stage {
  /** Where the app is: `http://127.0.0.1:12345`. */
  readonly origin: string
  /** With which the administrator's own calls are made. */
  readonly appPassword: string
}

declare module 'vitest' {
  interface ProvidedContext {
    stage: Stage
  }
}

const PROGRAM = resolve('packages/server/bin/lyceum.mjs')
const DEMO = ['--members', '120', '--spaces', '10', '--posts', '150', '--comments', '400', '--reactions', '800']

const addressOf = async (lines: NodeJS.ReadableStream): Promise<string> => {
  for await (const line of createInterface(lines)) {
    const found = /listening on (\S+)/.exec(line)?.[1]
    if (!found) continue
    lines.resume()
    return new URL(found).origin
  }
  throw new Error('the server did not start')
}

/** Builds the app, fills a community and serves it, as whoever runs one does. */
export const setup = async (project: TestProject) => {
  const folder = mkdtempSync(join(tmpdir(), 'lyceum-e2e-'))
  const env = {
    PATH: process.env['PATH'],
    HOME: folder,
    LYCEUM_DATA_DIR: folder,
    LYCEUM_PORT: '0',
    LYCEUM_LOG_LEVEL: 'error',
    LYCEUM_RATE_LIMIT: 'off',
  }
  const run = (...args: string[]) =>
    execFileSync(process.execPath, [PROGRAM, ...args], { env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
  execFileSync(process.execPath, ['scripts/build.ts', '--strict'], { stdio: 'inherit' })
  run('demo', ...DEMO)
  run(
    'user',
    'create',
    '--username',
    ADMIN.username,
    '--email',
    'ana@example.org',
    '--password',
    ADMIN.password,
    '--role',
    'admin',
    '--display-name',
    ADMIN.name,
  )
  const appPassword = run('user', 'app-password', ADMIN.username, '--name', 'journeys').trim()
  const server = spawn(process.execPath, [PROGRAM, 'serve'], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  const kill = () => server.kill('SIGKILL')
  process.once('exit', kill)
  project.provide('stage', { origin: await addressOf(server.stdout), appPassword })
  return async () => {
    process.removeListener('exit', kill)
    server.kill('SIGTERM')
    await once(server, 'exit')
    rmSync(folder, { recursive: true })
  }
}
