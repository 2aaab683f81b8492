import { execFileSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { copyFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { report, SOAK } from '#test/scale.ts'
import { NoStart } from '../kit/server-process.ts'
import { healthOf, healthWhileFull, isAcknowledged, isRefused, writeAndRead } from './clients.ts'
import { judge, noise, onSqlite, type Stage, setStage, upload, verdictOf } from './stage.ts'
import { asSeenBy, canMount, canTrace, type Fault, onSmallDisk, withFault } from './strace.ts'
import { SOUND } from './verdict.ts'

const WRITERS = 4
const TIMEOUT_MS = 60_000 + SOAK * 60_000
const DISK_BYTES = 16 * 2 ** 20
const REFUSALS = ['503 storage_full', '503 service_unavailable']

/** The calls that fail, and the highest per-thread index at which the fault occurs. */
const CALLS: readonly (readonly [call: Fault['call'], error: Fault['error'], last: number])[] = [
  ['fdatasync', 'EIO', 40],
  ['pwrite64', 'EIO', 200],
  ['pwrite64', 'ENOSPC', 200],
  ['openat', 'EIO', 12],
]

/** Starts a server with one failing call; returns `false` if the start failed cleanly. */
const withOneFault = async (fault: Fault): Promise<boolean> => {
  const stage = await setStage(
    WRITERS,
    () => ({}),
    (dataDir) => ({ wrapper: withFault(dataDir, fault) }),
  ).catch((error) => {
    if (!(error instanceof NoStart)) throw error
    expect([error.code, error.message]).toEqual([1, expect.stringMatching(/^lyceum: [^\n]+\n$/)])
    return null
  })
  if (!stage) return false
  const { victim, people, feeds, seen } = stage
  await writeAndRead(victim.base, people, feeds, seen, 6)
  expect([victim.running, (await healthOf(victim.base, 'live')).status]).toEqual([true, 200])
  const { verdict, afterwards } = await judge(stage, REFUSALS)
  const certain = fault.call !== 'fdatasync'
  expect([certain ? verdict : { ...verdict, kept: [] }, { ...afterwards, kept: [] }]).toEqual([SOUND, SOUND])
  return true
}

/** Copies the data from a disk that disappears with its process. */
const rescue = ({ victim, dataDir }: Stage): void => {
  process.kill(victim.pid, 'SIGSTOP')
  rmSync(join(dataDir, 'lyceum.db-shm'), { force: true })
  for (const name of ['lyceum.db', 'lyceum.db-wal']) copyFileSync(asSeenBy(victim.pid, join(dataDir, name)), join(dataDir, name))
}

const fill = (folder: string): string => {
  const file = join(folder, 'filler')
  // dd writes until the disk is full, and then fails.
  execFileSync('sh', ['-c', 'dd if=/dev/zero of="$1" bs=4k 2>/dev/null || true', 'sh', file])
  return file
}

const onFullDisk = async () => {
  const stage = await setStage(
    WRITERS,
    () => ({}),
    (dataDir) => ({ wrapper: onSmallDisk(dataDir, DISK_BYTES) }),
  )
  const { victim, people, feeds, seen, dataDir } = stage
  await writeAndRead(victim.base, people, feeds, seen, 3)
  const filler = fill(asSeenBy(victim.pid, dataDir))
  await writeAndRead(victim.base, people, feeds, seen, 20)
  const refused = seen.writes.filter(isRefused).length
  const health = await healthWhileFull(stage)
  const uploaded = await upload(stage, await noise(300))
  rmSync(filler)
  const before = seen.writes.length
  const since = performance.now()
  await writeAndRead(victim.base, people, feeds, seen, 1)
  const back = performance.now() - since
  expect(seen.writes.slice(before).every(isAcknowledged)).toBe(true)
  rescue(stage)
  const { verdict, afterwards } = await judge(stage, ['503 storage_full'])
  return { verdict, afterwards, refused, health, uploaded, back, reads: seen.reads }
}

if (SOAK > 1 && onSqlite) {
  test('a failing call causes a 503 or no error at all, and loses nothing acknowledged', {
    timeout: TIMEOUT_MS,
  }, async () => {
    const counts = { runs: 0, 'did not start': 0 }
    for (let run = 0; run < SOAK * 2 && canTrace(); run++) {
      const [call, error, last] = CALLS[run % CALLS.length] as (typeof CALLS)[number]
      const fault = { call, error, at: randomInt(1, last + 1) }
      const started = await withOneFault(fault).catch((failure) => {
        throw new Error(`${call} fails with ${error}, ${fault.at}.: ${failure.message}`, { cause: failure })
      })
      counts.runs += 1
      if (!started) counts['did not start'] += 1
    }
    report({ fault: canTrace() ? 'one call' : 'none (strace may not trace here)', ...counts, lost: 0, doubled: 0 })
  })

  test('a full disk rejects writes as such, and accepts them once there is room', { timeout: TIMEOUT_MS }, async () => {
    const figures = { rounds: 0, refused: 0, reads: 0 }
    for (let round = 0; round < Math.ceil(SOAK / 10) && canMount(); round++) {
      const { verdict, afterwards, refused, health, uploaded, back, reads } = await onFullDisk()
      expect([verdict, { ...afterwards, kept: [] }, uploaded]).toEqual([SOUND, SOUND, '503 storage_full'])
      expect(health).toEqual({ status: 200, body: { status: 'read_only', code: 'storage_full' } })
      expect(refused).toBeGreaterThan(WRITERS)
      expect(back).toBeLessThan(2000)
      figures.rounds += 1
      figures.refused += refused
      figures.reads += reads
    }
    report({ fault: canMount() ? 'small disk' : 'none (nothing may be mounted here)', ...figures, lost: 0, kept: 0 })
  })
}

describe('controls: the checks detect', () => {
  test('a lost write, a duplicated one, a rejected one that was stored, and a wrong kind of response', () => {
    expect(
      verdictOf([
        [201, '', 1],
        [503, 'storage_full', 0],
      ]),
    ).toEqual(SOUND)
    expect(verdictOf([[201, '', 0]]).lost).toEqual(['text 0'])
    expect(verdictOf([[201, '', 2]]).doubled).toEqual(['text 0'])
    expect(verdictOf([[503, 'storage_full', 1]]).kept).toEqual(['text 0'])
    expect(
      verdictOf([
        [500, 'internal_error', 0],
        [0, '', 0],
      ]).odd,
    ).toEqual(['post: 500 internal_error', 'post: no answer '])
  })
})
