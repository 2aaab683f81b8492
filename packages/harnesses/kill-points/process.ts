import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { type Env, processEnv } from '#test/command.ts'

const PROGRAM = fileURLToPath(new URL('../../server/bin/lyceum.mjs', import.meta.url))

export interface Killed {
  /** Whether it was killed; false: it had ended before `reached` held. */
  readonly killed: boolean
  readonly ms: number
}

/** Runs a command as a process of its own and kills it (SIGKILL) as soon as `reached` holds, which is asked again and again. */
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
