import { randomInt } from 'node:crypto'
import { rmSync, statSync, writeFileSync } from 'node:fs'
import { connect as connectSocket, type Socket } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { report, SOAK } from '#test/scale.ts'
import { connect } from '../kit/connection.ts'
import { limit, openFiles } from '../kit/server-process.ts'
import { healthOf, healthWhileFull, isAcknowledged, isRefused, type Write, writeAndRead } from './clients.ts'
import { halfFiles, judge, noise, onSqlite, poorNoise, type Stage, setStage, upload } from './stage.ts'
import { SOUND, storedTexts, verdictOn } from './verdict.ts'

const ROUNDS = Math.min(SOAK, 40)
const WRITERS = 8
const TIMEOUT_MS = 60_000 + ROUNDS * 30_000
/** Time limit for writes to succeed again once there is space. */
const BACK_WITHIN_MS = 2000

const STORAGE_FULL = '503 storage_full'
const UNAVAILABLE = '503 service_unavailable'
const NO_ROOM = `create function no_room() returns trigger language plpgsql as
  $$ begin raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$`

const write = ({ victim, people, feeds, seen }: Stage, times: number) => writeAndRead(victim.base, people, feeds, seen, times)

/**
 * Fills the disk of a running server; the returned function frees it. A tablespace cannot be filled without privileges, so PostgreSQL's
 * error is simulated.
 */
const takeRoom = async ({ env, dataDir, victim }: Stage): Promise<() => Promise<void>> => {
  if (onSqlite) {
    limit(victim, 'fsize', statSync(join(dataDir, 'lyceum.db-wal')).size + randomInt(200_000))
    return async () => limit(victim, 'fsize', 'unlimited')
  }
  const client = new pg.Client({ connectionString: env['LYCEUM_DATABASE_URL'] })
  await client.connect()
  await client.query(NO_ROOM)
  const { rows } = await client.query<{ name: string }>(`select tablename as name from pg_tables where schemaname = 'public'`)
  for (const { name } of rows)
    await client.query(`create trigger no_room before insert or update or delete on ${name} for each row execute function no_room()`)
  // One table after the other: locking all at once could deadlock with a write.
  return async () => {
    for (const { name } of rows) await client.query(`drop trigger no_room on ${name}`)
    await client.query('drop function no_room')
    await client.end()
  }
}

/** Uploads that do not fit: in the database, while they are received, and when their variants are stored. */
const uploadsWithoutRoom = async (stage: Stage): Promise<string[]> => {
  limit(stage.victim, 'fsize', 200_000)
  const answers = [await upload(stage, await noise(20)), await upload(stage, await noise(600))]
  const poor = await poorNoise(300)
  limit(stage.victim, 'fsize', poor.length + 1000)
  answers.push(await upload(stage, poor))
  limit(stage.victim, 'fsize', 'unlimited')
  return answers
}

/** Fills the disk of a server for a while. */
const fillAndEmpty = async () => {
  const stage = await setStage(WRITERS)
  const { victim, seen, dataDir } = stage
  await write(stage, 5)
  const giveBack = await takeRoom(stage)
  await write(stage, 10)
  const health = await healthWhileFull(stage)
  const during = seen.writes.slice(WRITERS * 5)
  const refused = during.filter(isRefused).length
  const uploads = await uploadsWithoutRoom(stage)
  const half = halfFiles(dataDir)
  await giveBack()
  const since = performance.now()
  await write(stage, 1)
  const back = performance.now() - since
  expect(await upload(stage, await noise(20))).toBe('201')
  const { running } = victim
  const healthAfter = await healthOf(victim.base, 'ready')
  const judged = await judge(stage, [STORAGE_FULL, UNAVAILABLE])
  return { ...judged, seen, during, refused, health, healthAfter, uploads, back, running, half }
}

describe('a full disk', () => {
  test(
    'rejects writes while reads continue, loses nothing acknowledged, stores nothing rejected, and needs no restart',
    async () => {
      const figures = { acknowledged: 0, refused: 0, reads: 0, slowest: 0 }
      for (let round = 0; round < ROUNDS; round++) {
        const { verdict, afterwards, seen, during, refused, health, healthAfter, uploads, back, running, half } = await fillAndEmpty()
        expect([verdict, { ...afterwards, kept: [] }, running, half]).toEqual([SOUND, SOUND, true, []])
        expect(uploads).toEqual([expect.stringMatching(/^503/), STORAGE_FULL, STORAGE_FULL])
        expect(refused).toBeGreaterThan(WRITERS)
        expect(health).toEqual({ status: 200, body: { status: 'read_only', code: onSqlite ? expect.any(String) : 'storage_full' } })
        expect(healthAfter).toEqual({ status: 200, body: { status: 'ok' } })
        expect(back).toBeLessThan(BACK_WITHIN_MS)
        figures.acknowledged += seen.writes.filter(isAcknowledged).length
        figures.refused += refused
        figures.reads += seen.reads
        figures.slowest = Math.max(figures.slowest, ...during.map(({ answers }) => answers[0]?.ms ?? 0))
      }
      report({ fault: 'full', rounds: ROUNDS, ...figures, slowest: `${Math.round(figures.slowest)} ms`, lost: 0, kept: 0, doubled: 0 })
    },
    TIMEOUT_MS,
  )
})

/** Runs a server whose syncs start to fail; returns its behavior before and during the fault, and once the disk works again. */
const failSyncs = async (signal: 'SIGKILL' | 'SIGTERM') => {
  const flagOf = (dataDir: string) => `${dataDir}.fails`
  const loader = fileURLToPath(new URL('./failing-sync.ts', import.meta.url))
  const stage = await setStage(WRITERS, (dataDir) => ({
    NODE_OPTIONS: `--import=${loader}`,
    LYCEUM_TEST_SYNCS_FAIL: flagOf(dataDir),
  }))
  const { victim, seen, dataDir } = stage
  const acknowledgedOf = (writes: readonly Write[]) => writes.filter(({ answers }) => answers[0]?.status === 201).length
  await write(stage, 5)
  const before = { acknowledged: acknowledgedOf(seen.writes), health: await healthOf(victim.base, 'ready') }
  writeFileSync(flagOf(dataDir), '')
  await write(stage, 5)
  const health = await healthOf(victim.base, 'ready')
  rmSync(flagOf(dataDir), { force: true })
  await write(stage, 5)
  const acknowledged = acknowledgedOf(seen.writes.slice(WRITERS * 5))
  const { running } = victim
  await victim.end(signal)
  return { ...(await judge(stage, [UNAVAILABLE])), before, running, health, acknowledged }
}

if (onSqlite) {
  describe('a disk that fails to sync', () => {
    test(
      'rejects every write until the server is restarted, while reads continue',
      async () => {
        for (let round = 0; round < ROUNDS; round++) {
          const found = await failSyncs(round % 2 === 0 ? 'SIGKILL' : 'SIGTERM')
          const { verdict, afterwards, before, running, health, acknowledged } = found
          // A server that continues is detected.
          expect([before.acknowledged, before.health.body]).toEqual([WRITERS * 5, { status: 'ok' }])
          // The first refused writes may or may not be on the disk; after the retry each exists once.
          expect([{ ...verdict, kept: [] }, { ...afterwards, kept: [] }, running, acknowledged]).toEqual([SOUND, SOUND, true, 0])
          expect(health).toEqual({ status: 200, body: { status: 'read_only', code: 'service_unavailable' } })
        }
        report({ fault: 'sync', rounds: ROUNDS, 'acknowledged after it': 0, lost: 0, doubled: 0 })
      },
      TIMEOUT_MS,
    )
  })
}

test('a process without file descriptors serves existing connections, and all once descriptors are available', {
  timeout: TIMEOUT_MS,
}, async () => {
  const stage = await setStage(1)
  const { victim, people, feeds, seen } = stage
  const { send, close } = connect(victim.base, people[0]?.authorization ?? '')
  expect((await send('GET', '/feeds'))?.status).toBe(200)
  const { hostname, port } = new URL(victim.base)
  const most = openFiles(victim) + 3
  limit(victim, 'nofile', most)
  const sockets: Socket[] = []
  // Each client sends a request and keeps its connection open; a client without a response is refused.
  const served = await Promise.all(
    Array.from({ length: 40 }, () => {
      const socket = connectSocket(Number(port), hostname)
      sockets.push(socket)
      return new Promise<boolean>((resolve) => {
        socket
          .once('data', () => resolve(true))
          .once('error', () => resolve(false))
          .once('close', () => resolve(false))
        socket.write('GET /health/live HTTP/1.1\r\nhost: x\r\n\r\n')
      })
    }),
  )
  expect(served.filter(Boolean).length).toBeLessThan(10)
  expect((await send('GET', '/feeds'))?.status).toBe(200)
  expect((await send('POST', '/feeds', { message: 'Written without a descriptor' }))?.status).toBe(201)
  for (const socket of sockets) socket.destroy()
  limit(victim, 'nofile', 'unlimited')
  await writeAndRead(victim.base, people, feeds, seen, 5)
  close()
  expect(await victim.end('SIGTERM')).toBe(0)
  expect(verdictOn(seen, await storedTexts(stage.env), [])).toEqual(SOUND)
})
