import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline'

/*
 * Runs the server and the web app from their sources. When a file changes, the server restarts and the page reloads. Data is stored in
 * dev-data, in SQLite unless LYCEUM_DATABASE_URL is set. Ctrl-C stops both.
 */

const { LYCEUM_PORT: port = '3000', LYCEUM_DATA_DIR: dataDir = 'dev-data', NO_COLOR: plain } = process.env
const server = `http://127.0.0.1:${port}`
const app = 'http://127.0.0.1:5173'
const ROOT = resolve(import.meta.dirname, '..')

const running: ChildProcess[] = []
let ending = false

const end = (code: number) => {
  if (ending) return
  ending = true
  process.exitCode = code
  for (const child of running) if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM')
}

/** Starts a program and prints each line of its output after its name. When one program exits, the other is stopped. */
const run = (name: string, args: readonly string[], env: Record<string, string>, shown: (line: string) => string | null) => {
  const child = spawn(process.execPath, args, { cwd: ROOT, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
  const label = process.stdout.isTTY && !plain ? `\x1b[2m${name}\x1b[22m` : name
  for (const stream of [child.stdout, child.stderr])
    createInterface({ input: stream }).on('line', (line) => {
      const text = shown(line)
      if (text?.trim()) process.stdout.write(`${label}  ${text}\n`)
    })
  child.on('exit', (code) => end(code ?? 0))
  running.push(child)
}

process.on('SIGINT', () => end(0))
process.on('SIGTERM', () => end(0))

mkdirSync(resolve(ROOT, dataDir), { recursive: true })
// Rewrite printed links, such as the setup link, to the development server of the web app.
run(
  'server',
  ['--watch', '--watch-preserve-output', '--disable-warning=ExperimentalWarning', 'packages/server/src/cli/main.ts', 'serve'],
  { LYCEUM_DATA_DIR: dataDir, LYCEUM_PORT: port, LYCEUM_LOG_LEVEL: process.env['LYCEUM_LOG_LEVEL'] ?? 'warn' },
  (line) => {
    if (!line.startsWith('Lyceum is listening'))
      return line.replaceAll(server, (url, at: number) => (line[at + url.length] === '/' ? app : url))
    serveApp()
    return null
  },
)

/** Starts the web app once the server is listening; otherwise the first page would fail. */
function serveApp() {
  if (running.length > 1) return
  const options = ['--host', '127.0.0.1', '--strictPort', '--clearScreen', 'false', '--logLevel', 'warn']
  // While the server restarts, it refuses connections. Vite logs this with a stack trace, which is omitted.
  run('web   ', ['node_modules/vite/bin/vite.js', 'packages/web', ...options], { LYCEUM_URL: server }, (line) =>
    /^ +at /.test(line) ? null : line,
  )
  process.stdout.write(`Web app ${app}   API reference ${server}/docs/   data in ${dataDir}\n`)
}
