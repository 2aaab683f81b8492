import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
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
  const former = join(folder, 'packages/server/dist')
  mkdirSync(join(former, 'web'), { recursive: true })
  writeFileSync(join(former, 'source-hash'), 'other sources')
  writeFileSync(join(former, 'lyceum.js'), 'process.exit(7)')
  writeFileSync(join(former, 'web/index.html'), 'The former web app')
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const launcher = () => join(folder, 'packages/server/bin/lyceum.mjs')
const env = (more: Record<string, string> = {}) => ({ PATH: process.env['PATH'], HOME: folder, LYCEUM_LOG_LEVEL: 'warn', ...more })
/** A mistake in the configuration ends a server at once; the messages show what ran until then. */
const startAndFail = (cwd = folder) =>
  spawnSync(process.execPath, [launcher(), 'serve'], { cwd, env: env({ LYCEUM_PORT: 'x' }), encoding: 'utf8', timeout: TIMEOUT_MS })
const retitle = (from: string, to: string) => {
  const source = join(folder, 'packages/web/index.html')
  const { atime, mtime } = statSync(source)
  writeFileSync(source, readFileSync(source, 'utf8').replace(`<title>${from}</title>`, `<title>${to}</title>`))
  utimesSync(source, atime, mtime)
}

test(
  'npm start in a clone with a build of other sources builds anew, and serves the API and the web app',
  async () => {
    const npm = spawn('npm', ['start'], {
      cwd: folder,
      env: env({ LYCEUM_PORT: '0' }),
      stdio: ['ignore', 'pipe', 'inherit'],
      detached: true,
    })
    const ended = once(npm, 'exit')
    try {
      let base: string | undefined
      for await (const line of createInterface(npm.stdout)) {
        base = /^Lyceum is listening on (\S+)$/.exec(line)?.[1]
        if (base) break
      }
      expect(base).toMatch(/^http:\/\//)
      const { origin } = new URL(base as string)

      expect(readFileSync(join(folder, 'packages/server/dist/web/index.html'), 'utf8')).toContain('<title>Lyceum</title>')
      const health = await fetch(`${origin}/health/ready`)
      expect(health.status).toBe(200)
      const page = await (await fetch(`${origin}/setup`, { headers: { accept: 'text/html' } })).text()
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

test(
  'a build is current as long as the sources have the same content, whatever their times and where they lie',
  () => {
    // As npm prune and cp -r do.
    const lockfile = join(folder, 'package-lock.json')
    const locked = JSON.parse(readFileSync(lockfile, 'utf8')) as { packages: Record<string, { libc?: string[]; funding?: object }> }
    for (const entry of Object.values(locked.packages)) {
      delete entry.libc
      delete entry.funding
    }
    writeFileSync(lockfile, JSON.stringify(locked))
    const copy = `${folder}-copy`
    cpSync(folder, copy, { recursive: true, verbatimSymlinks: true })
    try {
      const { stdout, stderr } = spawnSync(process.execPath, [join(copy, 'packages/server/bin/lyceum.mjs'), 'serve'], {
        cwd: copy,
        env: env({ LYCEUM_PORT: 'x' }),
        encoding: 'utf8',
      })
      expect([stdout, stderr]).toEqual(['', expect.stringMatching(/^lyceum: LYCEUM_PORT must be .*\n$/)])
    } finally {
      rmSync(copy, { recursive: true, force: true })
    }
  },
  TIMEOUT_MS,
)

test(
  'a start in another folder builds, too',
  () => {
    retitle('Lyceum', 'Elsewhere')
    const { stdout, stderr } = startAndFail(tmpdir())
    expect([stdout, stderr]).toEqual([expect.stringMatching(/^Built .*\n$/), expect.stringMatching(/^lyceum: LYCEUM_PORT must be .*\n$/)])
    expect(readFileSync(join(folder, 'packages/server/dist/web/index.html'), 'utf8')).toContain('<title>Elsewhere</title>')
  },
  TIMEOUT_MS,
)

test(
  'a server never runs beside the web app of other sources: without the packages to build, it refuses to start',
  () => {
    retitle('Elsewhere', 'New place')
    for (const name of ['rolldown', 'vite']) unlinkSync(join(folder, 'node_modules', name))
    const { status, stdout, stderr } = startAndFail()
    expect([status, stdout, stderr]).toEqual([1, '', expect.stringMatching(/^lyceum: .*run "npm ci --include=dev && npm run build".*\n$/)])
  },
  TIMEOUT_MS,
)
