import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, truncateSync, watch, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, inject, test } from 'vitest'
import { type Env, freshEnv, lyceum, lyceumJson, lyceumProcess, readyEnv } from '#test/command.ts'
import { differing, hashesOf, mediaOf, withDatabase } from '#test/hash.ts'
import { report, SOAK } from '#test/scale.ts'
import { runText } from '../../server/src/db/index.ts'
import { readArchive } from '../../transfer/src/backup/archive.ts'
import { writeArchive } from '../../transfer/test-support/write-archive.ts'
import { makePeople } from '../kit/people.ts'
import { openLine } from './line.ts'
import { endAll, spawnLyceum, startServing } from './process.ts'
import { createWritten, postPicture, type Written, writeUntil } from './writers.ts'

const ROUNDS = SOAK === 1 ? 1 : 3 * SOAK
/** Backups per community, so that it stays small. */
const MOST_OF_ONE = 10
const WRITERS = SOAK === 1 ? 8 : 24
const PER_SECOND = SOAK === 1 ? 150 : 500
const TIMEOUT_MS = 120_000 + ROUNDS * 20_000
/** Size of a sparse file that takes a minute to read. */
const ENDLESS = 64 * 2 ** 30
/** All of them have one handler. */
const SIGNALS: readonly NodeJS.Signals[] = SOAK > 1 ? ['SIGTERM', 'SIGINT', 'SIGHUP'] : ['SIGTERM', 'SIGHUP']
const onPostgres = process.env['LYCEUM_TEST_DATABASE'] === 'postgres'

afterAll(endAll)

const fileName = (name: string) => join(mkdtempSync(join(inject('scratch'), 'operations-')), name)

interface Taken {
  readonly file: string
  /** Acknowledged before the backup began. */
  readonly before: readonly string[]
  /** Started after the backup ended. */
  readonly after: readonly string[]
  readonly pictures: readonly string[]
}

interface Community {
  readonly env: Env
  readonly written: Written
  readonly taken: readonly Taken[]
  readonly perSecond: number
}

/** Takes this many backups of a community under concurrent writes. */
const backUpWhileWritten = async (rounds: number): Promise<Community> => {
  const env = { ...(await readyEnv()), LYCEUM_RATE_LIMIT: 'off' }
  const people = await makePeople(env, WRITERS)
  const server = await startServing(env)
  const admin = people[0] as (typeof people)[number]
  const line = openLine(server.base, admin.authorization)
  const feed = (await line.send('POST', '/feeds', { body: '{"message":"Everybody comments on this"}' })).body.data.id as number
  line.close()
  const written = createWritten()
  let over = false
  const begun = performance.now()
  const writing = writeUntil(server.base, people, feed, written, PER_SECOND, () => over)
  const marks: { file: string; before: number; begunBy: number; pictures: number }[] = []
  for (let i = 0; i < rounds; i++) {
    await postPicture(server.base, admin, written)
    const file = fileName(`${i}.lyceum`)
    const before = written.acknowledged.length
    const pictures = written.pictures.length
    const { code, err } = await lyceumProcess(env, ['backup', file, '--json'])
    if (code !== 0) throw new Error(err)
    marks.push({ file, before, begunBy: written.begun.length, pictures })
  }
  over = true
  await writing
  const perSecond = written.acknowledged.length / ((performance.now() - begun) / 1000)
  server.signal('SIGTERM')
  if ((await server.ended) !== 0) throw new Error(server.output())
  const taken = marks.map(({ file, before, begunBy, pictures }) => ({
    file,
    before: written.acknowledged.slice(0, before),
    after: written.begun.slice(begunBy),
    pictures: written.pictures.slice(0, pictures),
  }))
  return { env, written, taken, perSecond }
}

const textsOf = (env: Env): Promise<ReadonlyMap<string, number>> =>
  withDatabase(env, async ({ read }) => {
    const rows = await runText<{ message: string }>(read, 'select message from comments union all select message from feeds', [])
    const counts = new Map<string, number>()
    for (const { message } of rows) counts.set(message, (counts.get(message) ?? 0) + 1)
    return counts
  })

/** The differences from the state at the time of the backup. */
const faultsOf = async (there: Env, source: Env, { before, after, pictures }: Taken): Promise<string[]> => {
  const texts = await textsOf(there)
  const lost = [...before, ...pictures].filter((text) => !texts.has(text))
  const twice = [...texts].filter(([, times]) => times > 1)
  const early = after.filter((text) => texts.has(text))
  const [media, original] = [mediaOf(there), mediaOf(source)]
  const changed = [...media].filter(([name, sum]) => original.get(name) !== sum)
  const { ok, violations } = JSON.parse((await lyceum(there, ['doctor', '--json'])).out) as { ok: boolean; violations: { check: string }[] }
  return [
    ...(lost.length > 0 ? [`${lost.length} acknowledged before it are not there`] : []),
    ...(twice.length > 0 ? [`${twice.length} are there twice`] : []),
    ...(early.length > 0 ? [`${early.length} were written after it`] : []),
    ...(media.size < pictures.length ? [`${media.size} files of ${pictures.length} pictures`] : []),
    ...(changed.length > 0 ? [`${changed.length} files are not as they were`] : []),
    ...(ok ? [] : violations.map(({ check }) => `the doctor: ${check}`)),
  ]
}

const restored = async (file: string, dialect?: 'sqlite' | 'postgres'): Promise<Env> => {
  const there = await freshEnv(dialect)
  await lyceumJson(there, 'restore', file)
  return there
}

/** Backs up the restored community, restores that backup, on the other database if there is one, and compares. */
const roundTrip = async (there: Env, turn: number): Promise<string[]> => {
  const again = fileName('again.lyceum')
  await lyceumJson(there, 'backup', again)
  const elsewhere = await restored(again, onPostgres && turn % 2 === 0 ? 'sqlite' : undefined)
  return differing(await hashesOf(there), await hashesOf(elsewhere))
}

let last: Community | undefined

test(
  `${ROUNDS} backup(s) taken during ${PER_SECOND} writes a second restore everything acknowledged, twice identically`,
  async () => {
    let rows = 0
    let differences = 0
    const rates: number[] = []
    for (let done = 0; done < ROUNDS; done += MOST_OF_ONE) {
      const community = await backUpWhileWritten(Math.min(MOST_OF_ONE, ROUNDS - done))
      last = community
      rates.push(community.perSecond)
      expect(community.written.failed).toEqual([])
      for (const [i, taken] of community.taken.entries()) {
        const there = await restored(taken.file)
        expect(await faultsOf(there, community.env, taken)).toEqual([])
        const different = await roundTrip(there, i)
        differences += different.length
        expect(different).toEqual([])
        rows += taken.before.length
      }
      // Without concurrent writes the two must be identical.
      const whole = fileName('whole.lyceum')
      await lyceumJson(community.env, 'backup', whole)
      expect(differing(await hashesOf(await restored(whole)), await hashesOf(community.env))).toEqual([])
    }
    report({
      'round trips': ROUNDS,
      'writes a second': Math.round(rates.reduce((sum, rate) => sum + rate, 0) / rates.length),
      'acknowledged rows kept': rows,
      'tables that differ': differences,
    })
  },
  TIMEOUT_MS,
)

test(
  'a backup that is stopped leaves the previous one unchanged, and nothing else',
  async () => {
    const env = await readyEnv()
    await makePeople(env, 1)
    const file = fileName('kept.lyceum')
    await lyceumJson(env, 'backup', file)
    const before = readFileSync(file)
    const media = join(env['LYCEUM_DATA_DIR'] ?? '', 'media')
    mkdirSync(media, { recursive: true, mode: 0o700 })
    const large = join(media, 'large.bin')
    writeFileSync(large, '')
    truncateSync(large, ENDLESS)
    for (const signal of SIGNALS) {
      const changes = watch(dirname(file))
      const backup = spawnLyceum(env, ['backup', file])
      await once(changes, 'change')
      changes.close()
      expect(readdirSync(dirname(file))).toHaveLength(2)
      backup.child.kill(signal)
      expect([await backup.ended, backup.output()]).toEqual([[null, signal], ''])
      expect(readdirSync(dirname(file))).toEqual(['kept.lyceum'])
    }
    expect(readFileSync(file).equals(before)).toBe(true)
  },
  TIMEOUT_MS,
)

describe('controls: the checks detect', () => {
  test(
    'a missing row, a later row, and a backup with a changed row',
    async () => {
      const { env, taken } = last as Community
      const one = taken.at(-1) as Taken
      const there = await restored(one.file)
      const sound = await hashesOf(there)
      expect(await faultsOf(there, env, one)).toEqual([])
      const meddle = (sql: string, text: string) => withDatabase(there, ({ write }) => write((db) => runText(db, sql, [text])))
      const [first = ''] = one.before

      const damaged = fileName('damaged.lyceum')
      await lyceumJson(there, 'backup', one.file)
      await writeArchive(damaged, async (archive) => {
        for await (const { name, size, body } of readArchive(one.file)) {
          const text = Buffer.concat(await Array.fromAsync(body))
          const at = name.startsWith('tables/comments/') ? text.indexOf('comment ') : -1
          if (at >= 0) text.write('c0mment ', at)
          await archive.add(name, size, [text])
        }
      })
      expect(differing(await hashesOf(await restored(damaged)), sound)).toEqual(['comments'])

      await meddle(`update comments set message = $1 where id = (select max(id) from comments)`, first)
      expect(await faultsOf(there, env, one)).toEqual(expect.arrayContaining(['1 are there twice']))
      await meddle(`delete from comments where message = $1`, first)
      expect(await faultsOf(there, env, one)).toEqual(
        expect.arrayContaining([expect.stringMatching(/^\d acknowledged before it are not there$/), 'the doctor: feed_comments_count']),
      )
      const later = { ...one, after: [one.before.at(-1) ?? ''] }
      expect(await faultsOf(there, env, later)).toEqual(expect.arrayContaining(['1 were written after it']))
    },
    TIMEOUT_MS,
  )
})
