import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** A server that runs. */
export interface Started {
  /** Empty where there is an administrator. */
  readonly setupLink: string
  stop(): Promise<void> | void
}

/** Environment of a user on a new machine: an empty home folder, and nothing that this checkout has on its path. */
export const newUser = (folder: string): NodeJS.ProcessEnv => {
  const HOME = join(folder, 'home')
  mkdirSync(HOME, { recursive: true })
  const paths = (process.env['PATH'] ?? '').split(delimiter).filter((path) => path && !path.includes('node_modules'))
  const { NODE_EXTRA_CA_CERTS } = process.env
  return { PATH: paths.join(delimiter), HOME, ...(NODE_EXTRA_CA_CERTS && { NODE_EXTRA_CA_CERTS }) }
}

/** Runs a shell script; resolves with what it prints. Throws with its errors unless it succeeds. */
export const sh = (script: string, cwd: string, env: NodeJS.ProcessEnv = process.env): string =>
  execFileSync('bash', ['-euc', script], { cwd, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })

const LINK = /^.*Set up the first administrator: (\S+)$/m
const LISTENS = /Lyceum is listening on \S+$/m

const setupLinkIn = (text: string): string | undefined => (LISTENS.test(text) ? (LINK.exec(text)?.[1] ?? '') : undefined)

/** Looks every half a second whether a log contains the setup link. */
export const setupLinkOf = async (log: () => string, isLate: AbortSignal): Promise<string> => {
  for (;;) {
    const text = log()
    const link = setupLinkIn(text)
    if (link !== undefined) return link
    if (isLate.aborted) throw new Error(`no setup link: ${text}`)
    await new Promise((done) => setTimeout(done, 500))
  }
}

/** Runs a command that serves in the foreground. */
export const serve = (script: string, cwd: string, env: NodeJS.ProcessEnv): Promise<Started> =>
  new Promise((resolve, reject) => {
    const child = spawn('bash', ['-euc', script], { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
    const ended = new Promise<void>((done) => child.once('close', () => done()))
    let text = ''
    const read = (chunk: Buffer) => {
      text += chunk.toString()
      const setupLink = setupLinkIn(text)
      if (setupLink !== undefined)
        resolve({
          setupLink,
          stop: () => {
            process.kill(-(child.pid ?? 0), 'SIGTERM')
            return ended
          },
        })
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    void ended.then(() => reject(new Error(`it ended: ${text}`)))
  })
