import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, expect, test } from 'vitest'

/** The files of a clone that the start needs, without anything generated. */
const PARTS = ['package.json', 'package-lock.json', '.npmrc', 'tsconfig.json', 'tsconfig.base.json', 'scripts', 'packages']
const MADE = new Set(['node_modules', 'dist'])
const TIMEOUT_MS = 90_000

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'lyceum-clone-'))
  for (const part of PARTS)
    cpSync(resolve(part), join(folder, part), { recursive: true, preserveTimestamps: true, filter: (path) => !MADE.has(basename(path)) })
  // Like an npm installation: dependencies, and links to the workspaces of this clone.
  mkdirSync(join(folder, 'node_modules'))
  for (const name of readdirSync('node_modules').filter((one) => one !== '@lyceum'))
    symlinkSync(resolve('node_modules', name), join(folder, 'node_modules', name))
  cpSync('node_modules/@lyceum', join(folder, 'node_modules/@lyceum'), { recursive: true, verbatimSymlinks: true })
  for (const own of readdirSync('packages').map((name) => `packages/${name}/node_modules`))
    if (existsSync(own)) symlinkSync(resolve(own), join(folder, own))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test(
  'npm start in a fresh clone serves the API and the web app',
  async () => {
    const env = { PATH: process.env['PATH'], HOME: folder, LYCEUM_PORT: '0', LYCEUM_LOG_LEVEL: 'warn' }
    const npm = spawn('npm', ['start'], { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'], detached: true })
    const ended = once(npm, 'exit')
    try {
      let base: string | undefined
      for await (const line of createInterface(npm.stdout)) {
        base = /^Lyceum is listening on (\S+)$/.exec(line)?.[1]
        if (base) break
      }
      expect(base).toMatch(/^http:\/\//)
      const { origin } = new URL(base as string)

      const health = await fetch(`${origin}/health/ready`)
      expect(health.status).toBe(200)
      const page = await (await fetch(origin, { headers: { accept: 'text/html' } })).text()
      const program = /<script type="module"[^>]* src="([^"]+\.js)"/.exec(page)?.[1]
      const script = await fetch(new URL(program as string, origin))
      expect([script.status, script.headers.get('content-type')]).toEqual([200, expect.stringContaining('javascript')])
    } finally {
      // Child processes end with npm.
      if (npm.pid) process.kill(-npm.pid, 'SIGTERM')
      await ended
    }
  },
  TIMEOUT_MS,
)
