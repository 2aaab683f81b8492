import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { type Env, processEnv } from '#test/command.ts'

const PROGRAM = fileURLToPath(new URL('../../server/bin/lyceum.mjs', import.meta.url))

export interface Killed {
  /** Whether it was killed; false: it ended before `reached` returned true. */
  readonly killed: boolean
  readonly ms: number
}

/** Runs a command in its own process and sends SIGKILL as soon as the polled `reached` returns true. */
export const killWhen = (env: Env, args: readonly string[], reached: (ms: number) => boolean): Promise<Killed> =>
  new Promise((resolve, reject) => {
    const begun = performance.now()
    const child = spawn(process.execPath, [PROGRAM, ...args], { env: processEnv(env), stdio: 'ignore' })
    let over = false
    let killed = false
    child.once('error', reject)
    child.once('exit', () => {
      over = true
      resolve({ killed, ms: performance.now() - begun })
    })
    const look = () => {
      if (over) return
      if (!reached(performance.now() - begun)) return void setTimeout(look, 1)
      killed = child.kill('SIGKILL')
    }
    look()
  })
