import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { databaseUrl } from '#test/world.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const NODE_BIN = join(ROOT, 'node_modules/.bin')

interface Step {
  readonly language: string
  readonly text: string
}

/** The code blocks of a section, in order. */
const stepsOf = (markdown: string, heading: string): Step[] => {
  const section = markdown.split(/^## /m).find((part) => part.startsWith(heading)) ?? ''
  return [...section.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(([, language = '', text = '']) => ({ language, text }))
}

const steps = stepsOf(readFileSync(join(ROOT, 'README.md'), 'utf8'), 'The first five minutes')

/** One shell for all steps; `run` resolves with the output of a step. */
const createShell = (env: NodeJS.ProcessEnv) => {
  const shell = spawn('bash', [], { cwd: ROOT, env, stdio: ['pipe', 'pipe', 'inherit'] })
  let printed = ''
  let arrived = () => {}
  shell.stdout.on('data', (chunk: Buffer) => {
    printed += chunk.toString()
    arrived()
  })
  let count = 0
  return {
    run: async (script: string): Promise<string> => {
      count += 1
      const mark = `== step ${count} is over ==`
      // A step must not read the shell's own input.
      shell.stdin.write(`{ ${script}\n} </dev/null\necho; echo '${mark}'\n`)
      while (!printed.includes(mark))
        await new Promise<void>((resolve) => {
          arrived = resolve
        })
      const [output = ''] = printed.split(mark)
      printed = ''
      return output.trim()
    },
    end: () => shell.kill(),
  }
}

const withoutTimes = (text: string) => text.replace(/\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}/g, '<time>')

describe('the first five minutes of the README', () => {
  let server: ReturnType<typeof spawn>
  let shell: ReturnType<typeof createShell>
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
    shell = createShell(env)
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
