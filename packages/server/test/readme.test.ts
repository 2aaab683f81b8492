import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { createShell, type Shell, stepsOf, withoutTimes } from '#test/document-steps.ts'
import { databaseUrl } from '#test/world.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const NODE_BIN = join(ROOT, 'node_modules/.bin')

const section = readFileSync(join(ROOT, 'README.md'), 'utf8')
  .split(/^## /m)
  .find((part) => part.startsWith('The first five minutes'))
const steps = stepsOf(section ?? '')

describe('the first five minutes of the README', () => {
  let server: ReturnType<typeof spawn>
  let shell: Shell
  let origin = ''

  beforeAll(async () => {
    const env = {
      ...process.env,
      PATH: `${NODE_BIN}:${process.env.PATH}`,
      LYCEUM_PORT: '0',
      LYCEUM_DATA_DIR: mkdtempSync(join(inject('scratch'), 'readme-')),
      LYCEUM_DATABASE_URL: await databaseUrl(),
      LYCEUM_LOG_LEVEL: 'error',
      NODE_COMPILE_CACHE: join(inject('scratch'), 'compiled'),
    }
    server = spawn('npm', ['start', '--silent'], { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'inherit'], detached: true })
    origin = await new Promise<string>((resolve, reject) => {
      let text = ''
      server.stdout?.on('data', (chunk: Buffer) => {
        text += chunk.toString()
        const found = /^Lyceum is listening on (http:\/\/[^/]+)/m.exec(text)
        if (found?.[1]) resolve(found[1])
      })
      server.once('exit', (code) => reject(new Error(`npm start ended with ${code}`)))
    })
    shell = createShell(ROOT, env)
  }, 60_000)

  afterAll(async () => {
    shell?.end()
    if (!server || server.exitCode !== null) return
    const ended = new Promise((resolve) => server.once('exit', resolve))
    if (server.pid) process.kill(-server.pid, 'SIGTERM')
    await ended
  })

  it('work as described, step by step', { timeout: 60_000 }, async () => {
    expect(steps.length).toBeGreaterThan(15)
    let output = ''
    // One `npx` step is enough: it takes longer than the command it runs.
    let tried = false
    for (const { language, text } of steps) {
      if (language === 'sh') output = await shell.run(text.replaceAll('http://127.0.0.1:3000', origin))
      if (!tried && text.startsWith('npx lyceum ')) {
        tried = true
        await shell.run('npx() { "$@"; }')
      }
      if (language === 'ts') {
        const file = `"$(mktemp ./hello-XXXXXX.ts)"`
        output = await shell.run(`export ANA BEN API; F=${file}; cat > "$F" <<'END'\n${text}\nEND\nnode "$F"; rm "$F"`)
      }
      if (language === 'json') expect(JSON.parse(withoutTimes(output))).toEqual(JSON.parse(withoutTimes(text)))
      if (language === 'text') expect(output).toBe(text.trim())
    }
  })
})
