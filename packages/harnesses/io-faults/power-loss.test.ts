import { closeSync, copyFileSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import Sqlite from 'better-sqlite3'
import { expect, test } from 'vitest'
import { report, SOAK } from '#test/scale.ts'
import { acknowledgedAt, type Write, writeAndRead } from './clients.ts'
import { onSqlite, setStage } from './stage.ts'
import { countTexts, type Texts } from './verdict.ts'

const WRITERS = 8
const WRITES = 12
/** Moments at which the power fails, per server run. */
const MOMENTS = SOAK === 1 ? 15 : 40
const RUNS = SOAK
const TIMEOUT_MS = 60_000 + RUNS * 60_000
const PAGE = 4096

/** The possible disk states at a moment: the log up to `certain`, and any of the pages between `certain` and `most`. */
interface Moment {
  readonly at: bigint
  readonly certain: number
  readonly most: number
}

/** A seeded generator of numbers below `most`. */
const randomsFrom = (seed: number) => {
  let state = seed
  return (most: number): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * most)
  }
}

/** The power fails just before each sync completes: the data of that sync may or may not be on the disk. */
const momentsOf = (lines: readonly string[]): Moment[] => {
  const syncs = lines.map((line) => line.split(' '))
  return syncs.slice(1).map(([at = '0', , most = '0'], i) => ({ at: BigInt(at), certain: Number(syncs[i]?.[1]), most: Number(most) }))
}

/** A possible state of the log: unsynced pages are present, missing or torn. */
const tornLog = (log: Buffer, { certain, most }: Moment, random: (most: number) => number): Buffer => {
  const torn = Buffer.from(log.subarray(0, Math.min(most, log.length)))
  for (let page = Math.floor(certain / PAGE) * PAGE; page < torn.length; page += PAGE) {
    const end = Math.min(page + PAGE, torn.length)
    const fate = random(3)
    if (fate > 0) torn.fill(0, Math.min(Math.max(page, certain) + (fate === 1 ? 0 : 512 * random(8)), end), end)
  }
  return random(2) === 0 ? torn : torn.subarray(0, certain + random(torn.length - certain + 1))
}

const textsIn = (folder: string, file: string, log: Buffer): Texts => {
  const copy = join(folder, 'lyceum.db')
  copyFileSync(file, copy)
  const descriptor = openSync(`${copy}-wal`, 'w')
  writeSync(descriptor, log)
  closeSync(descriptor)
  rmSync(`${copy}-shm`, { force: true })
  const database = new Sqlite(copy)
  try {
    if (database.pragma('quick_check(1)', { simple: true }) !== 'ok') throw new Error('the database is damaged')
    return countTexts(database.prepare<[], { message: string }>('select message from feeds union all select message from comments').all())
  } finally {
    database.close()
    for (const end of ['', '-wal', '-shm']) rmSync(`${copy}${end}`, { force: true })
  }
}

/** Cuts the power at many moments under concurrent writes; returns the number of acknowledged writes that are missing. */
const losePower = async (lies: boolean, seed: number) => {
  const loader = fileURLToPath(new URL('./recording-sync.ts', import.meta.url))
  const stage = await setStage(WRITERS, (dataDir) => ({
    NODE_OPTIONS: `--import=${loader}`,
    LYCEUM_TEST_LOG: join(dataDir, 'lyceum.db-wal'),
    LYCEUM_TEST_SYNCS_LIE: lies ? 'on' : 'off',
  }))
  const { victim, people, feeds, seen, dataDir } = stage
  const file = join(dataDir, 'lyceum.db')
  const before = readFileSync(file)
  await writeAndRead(victim.base, people, feeds, seen, WRITES)
  await victim.end('SIGKILL')
  // Without checkpoints the log only grows, so its content at any moment can be reconstructed at the end.
  expect(readFileSync(file).equals(before)).toBe(true)
  const log = readFileSync(`${file}-wal`)
  const moments = momentsOf(readFileSync(`${file}-wal.syncs`, 'utf8').trim().split('\n'))
  const random = randomsFrom(seed)
  const folder = mkdtempSync(join(dirname(dataDir), 'power-'))
  let lost = 0
  let mostBehind = 0
  for (let i = 0; i < MOMENTS; i++) {
    const moment = moments[random(moments.length)] as Moment
    const stored = textsIn(folder, file, tornLog(log, moment, random))
    const due = seen.writes.filter((write: Write) => (acknowledgedAt(write) ?? moment.at) < moment.at)
    lost += due.filter(({ text }) => !stored.has(text)).length
    mostBehind = Math.max(mostBehind, moment.most - moment.certain)
  }
  rmSync(folder, { recursive: true })
  return { lost, mostBehind, syncs: moments.length, acknowledged: seen.writes.length }
}

if (onSqlite) {
  test('a power loss with an unsynced log loses nothing acknowledged', { timeout: TIMEOUT_MS }, async () => {
    const figures = { images: 0, syncs: 0, acknowledged: 0, lost: 0, 'most bytes at stake': 0 }
    for (let run = 0; run < RUNS; run++) {
      const seed = Date.now() % 2 ** 32
      const { lost, mostBehind, syncs, acknowledged } = await losePower(false, seed)
      expect(lost, `seed ${seed}`).toBe(0)
      figures.images += MOMENTS
      figures.syncs += syncs
      figures.acknowledged += acknowledged
      figures['most bytes at stake'] = Math.max(figures['most bytes at stake'], mostBehind)
    }
    report({ fault: 'power', ...figures })
  })

  test('control: a server that responds before the sync is detected', { timeout: TIMEOUT_MS }, async () => {
    expect((await losePower(true, 7)).lost).toBeGreaterThan(0)
  })
}

test('an image contains what was synced, and no more than was written', () => {
  const log = Buffer.alloc(10 * PAGE, 7)
  const random = randomsFrom(1)
  const images = Array.from({ length: 50 }, () => tornLog(log, { at: 0n, certain: 2 * PAGE + 100, most: 8 * PAGE + 50 }, random))
  for (const image of images) {
    expect(image.subarray(0, 2 * PAGE + 100).every((byte) => byte === 7)).toBe(true)
    expect(image.length).toBeLessThanOrEqual(8 * PAGE + 50)
  }
  expect(new Set(images.map((image) => image.toString('latin1'))).size).toBeGreaterThan(25)
})
