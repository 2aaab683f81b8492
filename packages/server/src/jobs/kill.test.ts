import { spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { expect, inject, test } from 'vitest'
import { type Env, processEnv, readyEnv } from '#test/command.ts'
import { pendingEvents } from '#test/jobs/pending-events.ts'
import { jobsLeft, judge, leaveEffect, openTrial, tracingRegistry } from '#test/jobs/trial.ts'
import { SOAK } from '#test/scale.ts'

const PROGRAM = fileURLToPath(new URL('../../test-support/jobs/process.ts', import.meta.url))
const KILLS = Number(process.env['LYCEUM_TEST_KILLS'] ?? 2 * SOAK)
const TIMEOUT_MS = 60_000 + KILLS * 10_000
/** Past every lease of a delivery that was under way. */
const LATER_MS = 3_600_000

/** Runs the writing process until it has acknowledged so many, kills it, and gives what it acknowledged. */
const runAndKill = (env: Env, deliveries: string, from: number, acks: number): Promise<number[]> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [PROGRAM, deliveries, String(from)], {
      env: processEnv(env),
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let out = ''
    let err = ''
    const acked = () =>
      out
        .slice(0, out.lastIndexOf('\n') + 1)
        .split('\n')
        .filter(Boolean)
        .map(Number)
    child.stdout.on('data', (chunk: Buffer) => {
      out += chunk.toString()
      if (acked().length >= acks) child.kill('SIGKILL')
    })
    child.stderr.on('data', (chunk: Buffer) => {
      err += chunk.toString()
    })
    child.once('error', reject)
    child.once('close', (_code, signal) => (signal === 'SIGKILL' ? resolve(acked()) : reject(new Error(err))))
  })

test(
  'a process killed between a commit and its jobs loses none and runs none twice',
  async () => {
    const env = await readyEnv()
    const deliveries = join(inject('scratch'), `deliveries-${process.env['LYCEUM_TEST_DATABASE']}`)
    writeFileSync(deliveries, '')
    await (await openTrial(env, tracingRegistry(deliveries))).close()

    const acked = new Set<number>()
    let waiting = 0
    for (let round = 1; round <= KILLS; round++) {
      for (const n of await runAndKill(env, deliveries, round * 1_000_000, randomInt(50, 120))) acked.add(n)
      const left = await openTrial(env, tracingRegistry(deliveries))
      waiting += (await pendingEvents(left.read)).length
      await left.close()
    }

    const trial = await openTrial(env, tracingRegistry(deliveries), { now: () => new Date(Date.now() + LATER_MS) })
    await trial.worker.runPending()
    const { written, lost, doubled, invented, redelivered } = await judge(trial.read, acked, deliveries)
    const name = trial.core.services.database.dialect
    console.log(
      `jobs ${name}: kills=${KILLS} acked=${acked.size} written=${written} waiting_at_kills=${waiting} lost=${lost.length} doubled=${doubled.length} redelivered=${redelivered}`,
    )
    expect({ lost, doubled, invented, left: [await jobsLeft(trial.read), await pendingEvents(trial.read)] }).toEqual({
      ...{ lost: [], doubled: [], invented: [], left: [[], []] },
    })
    expect(acked.size).toBeGreaterThanOrEqual(KILLS * 50)
    expect(written).toBeGreaterThanOrEqual(acked.size)
    expect(waiting).toBeGreaterThan(0)

    // The judge must see what it is there to see.
    const [gone = 0, twice = 0] = acked
    await trial.core.services.database.write(async (db) => {
      await sql`delete from trial_effects where job = 'second' and n = ${gone}`.execute(db)
      await leaveEffect(db, 'first', twice)
      await leaveEffect(db, 'first', 7)
    })
    expect(await judge(trial.read, acked, deliveries)).toMatchObject({ lost: [gone], doubled: [twice], invented: [7] })
    await trial.close()
  },
  TIMEOUT_MS,
)
