import { execFileSync } from 'node:child_process'
import { constants, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { cp } from 'node:fs/promises'
import { availableParallelism, cpus, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { startPostgres } from '../packages/server/test-support/services/postgres.ts'
import { findPostgres } from '../packages/server/test-support/services/programs.ts'
import { arrange, fill, type People } from './data.ts'
import { isLearning, LEARNING } from './learning.ts'
import { fillSchool } from './learning-data.ts'
import { type Request, withAutocannon, withWrk } from './load.ts'
import { type Measured, measure, warmUp } from './measure.ts'
import { type Mixed, mixedTable, runMixed } from './mixed.ts'
import { discardMails } from './people.ts'
import { printProfile, profileDuring, saveProfile } from './profile.ts'
import { LONGEST_START_MS, startText, summaryOf, table } from './report.ts'
import type { Scenario } from './scenario.ts'
import { scenarios } from './scenarios.ts'
import { atRest, type Lyceum, type Place, startLyceum } from './server.ts'
import { measureStarts, START, type Starts } from './start.ts'

const USAGE = `npm run bench -- [options]
  --database sqlite|postgres|both   default: both
  --posts N                         default: 10000; bars count from there on, with autocannon on SQLite
  --only NAME                       one scenario, or several with commas between; ${LEARNING}: all of learning
  --seconds N                       of each round, default: 5
  --mixed N                         seconds of the mixed load, default: 300
  --rounds N                        of each server, default: 3
  --tool autocannon|wrk             default: autocannon
  --data DIR                        SQLite: keep the filled data there; every run works on a copy
  --beside DIR                      SQLite: measure a community of 10000 posts in turn, kept there; for large ones
  --json FILE                       write the figures there
  --profile NAME                    where does the time of this scenario, or of mixed load, go? (SQLite unless --database postgres)
  --cpuprofile FILE                 keep the profile for the browser's developer tools
`
const TOOLS = { autocannon: withAutocannon, wrk: withWrk }
const POSTS_FOR_BARS = 10_000
const MIXED = 'mixed'
const MIXED_CONNECTIONS = 64
const POSTS_FOR_LARGE_BARS = 1_000_000
const DATABASES = ['sqlite', 'postgres'] as const
type DatabaseName = (typeof DATABASES)[number]

const options = () => {
  const { values } = parseArgs({
    options: {
      database: { type: 'string', default: 'both' },
      posts: { type: 'string', default: String(POSTS_FOR_BARS) },
      only: { type: 'string' },
      seconds: { type: 'string', default: '5' },
      rounds: { type: 'string', default: '3' },
      mixed: { type: 'string', default: '300' },
      tool: { type: 'string', default: 'autocannon' },
      data: { type: 'string' },
      beside: { type: 'string' },
      json: { type: 'string' },
      profile: { type: 'string' },
      cpuprofile: { type: 'string' },
      help: { type: 'boolean' },
    },
  })
  if (values.help) return null
  const number = (name: 'posts' | 'seconds' | 'rounds' | 'mixed') => {
    const value = Number(values[name])
    if (!Number.isInteger(value) || value < 1) throw new Error(`--${name} must be a positive integer`)
    return value
  }
  const databases = values.database === 'both' ? DATABASES : DATABASES.filter((name) => name === values.database)
  const tool = Object.entries(TOOLS).find(([name]) => name === values.tool)?.[1]
  if (databases.length === 0) throw new Error('--database is sqlite, postgres or both')
  if (!tool) throw new Error('--tool is autocannon or wrk')
  return {
    ...values,
    databases,
    tool,
    posts: number('posts'),
    seconds: number('seconds'),
    rounds: number('rounds'),
    mixed: number('mixed'),
  }
}

type Options = NonNullable<ReturnType<typeof options>>

const say = (text: string) => process.stderr.write(`${text}\n`)

/** A directory on a real disk, not in memory, so that commits have their real cost. */
const temporaryFolder = (name: string) => mkdtempSync(join(tmpdir(), `lyceum-bench-${name}-`))

/** Runs `work` with a temporary directory. */
const withPlace = async <T>(database: DatabaseName, work: (place: Place) => Promise<T>): Promise<T> => {
  const dataDir = temporaryFolder('data')
  const remove = () => rmSync(dataDir, { recursive: true, force: true })
  process.once('exit', remove)
  const postgres = database === 'postgres' ? await startPostgres(temporaryFolder('postgres'), { autovacuum: 'on' }) : undefined
  try {
    return await work({ dataDir, databaseUrl: postgres?.url ?? '' })
  } finally {
    await postgres?.stop()
    remove()
  }
}

/** Copies with reflinks if the file system supports them. */
const copy = (from: string, to: string) => cp(from, to, { recursive: true, mode: constants.COPYFILE_FICLONE })

/** Fills the directory or copies a saved one, so that every run starts with the same data. */
const prepare = async (place: Place, posts: number, data: string | undefined, asksLearning: boolean) => {
  const fillAll = async (where: Place) => {
    const people = await fill(where, posts)
    return { people, school: asksLearning ? await fillSchool(where, people) : undefined }
  }
  if (data === undefined || place.databaseUrl) return fillAll(place)
  const kept = resolve(data)
  const filled = await fillAll({ ...place, dataDir: kept })
  await copy(kept, place.dataDir)
  return filled
}

/** What autovacuum would do after inserting many rows. */
const analyse = (databaseUrl: string) => {
  const programs = findPostgres()
  if (programs && databaseUrl) execFileSync(join(programs, 'vacuumdb'), ['--analyze', '--quiet', databaseUrl])
}

const isChosen = (name: string, names: string | undefined) => {
  if (!names) return true
  return names.split(',').some((wanted) => wanted === name || name.startsWith(`${wanted}-`) || (wanted === LEARNING && isLearning(name)))
}

/** The selected scenarios. */
const chosen = (all: readonly Scenario[], names: string | undefined): readonly Scenario[] => {
  const list = all.filter(({ name }) => isChosen(name, names))
  if (list.length === 0 && !isChosen(START, names) && !isChosen(MIXED, names))
    throw new Error(`unknown scenario ${names}; available: ${all.map((scenario) => scenario.name).join(', ')}`)
  return list
}

interface Stage {
  readonly server: Lyceum
  readonly place: Place
  /** First request of a member. */
  readonly first: Request
  readonly list: readonly Scenario[]
  readonly people: People
  readonly words: readonly string[]
}

/** Starts the server on filled data and runs `work` with the selected scenarios. */
const withServer = async <T>(
  database: DatabaseName,
  given: Options,
  { posts, data }: { readonly posts: number; readonly data?: string | undefined },
  work: (stage: Stage) => Promise<T>,
): Promise<T> =>
  withPlace(database, async (place) => {
    say(`${database}: filling ${posts} posts …`)
    const names = given.profile ?? given.only
    const { people, school } = await prepare(place, posts, data, !names || names.split(',').some(isLearning))
    analyse(place.databaseUrl)
    const server = await startLyceum(place, { inspect: given.profile !== undefined })
    try {
      const subjects = await arrange(server.base, people)
      await atRest(server)
      await discardMails(place)
      say(
        `${database}: ${subjects.total} feeds for the busy member; searched for: ${subjects.words.map(({ word, hits }) => `${word} (${hits})`).join(', ')}`,
      )
      const all = scenarios(new URL(server.base).pathname, people, subjects, school)
      const first = all[0]?.requests[0]
      if (!first) throw new Error('no scenario selected')
      return await work({ server, place, first, list: chosen(all, names), people, words: subjects.words.map(({ word }) => word) })
    } finally {
      await server.stop()
    }
  })

/** The server of a small community for comparison, if requested. */
const withBeside = async <T>(given: Options, work: (small: Stage | undefined) => Promise<T>): Promise<T> =>
  given.beside === undefined ? work(undefined) : withServer('sqlite', given, { posts: POSTS_FOR_BARS, data: given.beside }, work)

const runProfile = async (given: Options) => {
  const { tool, seconds, cpuprofile } = given
  const database = given.databases.length > 1 ? 'sqlite' : (given.databases[0] ?? 'sqlite')
  await withServer(database, given, given, async ({ server, place, list: [scenario], people, words }) => {
    const mixed = given.profile === MIXED
    if (!server.inspector || !(mixed || scenario)) throw new Error('nothing to profile')
    const load = scenario && { origin: server.origin, requests: scenario.requests, connections: scenario.connections }
    if (load) await warmUp(tool, load)
    await atRest(server)
    let count = 0
    const profile = await profileDuring(server.inspector, async () => {
      const how = { connections: MIXED_CONNECTIONS, seconds: given.mixed }
      count = load ? (await tool({ ...load, seconds })).count : (await runMixed(place, server, { ...people, words }, how)).all.count
    })
    printProfile(profile, count)
    if (cpuprofile) saveProfile(profile, cpuprofile)
  })
}

const runAll = async (given: Options): Promise<boolean> => {
  const judged = (database: DatabaseName) => database === 'sqlite' && given.posts >= POSTS_FOR_BARS && given.tool === withAutocannon
  const barOf = ({ bar }: Scenario) => (given.posts >= POSTS_FOR_LARGE_BARS ? bar?.at1m : bar?.at10k)
  const measureAll = (database: DatabaseName) =>
    withBeside(given, (small) =>
      withServer(database, given, given, async ({ server, place, first, list, people, words }) => {
        const measured: Measured[] = []
        for (const scenario of list) {
          say(`${database}: ${scenario.title} …`)
          const same = small?.list.find(({ name }) => name === scenario.name)
          const beside = small && same && !scenario.small ? { origin: small.server.origin, requests: same.requests } : undefined
          const row = await measure(server, scenario, barOf(scenario), given, beside)
          say(`  ${summaryOf(row)}`)
          measured.push(row)
        }
        const how = { connections: MIXED_CONNECTIONS, seconds: given.mixed }
        if (isChosen(MIXED, given.only)) say(`${database}: everything at once …`)
        const mixed = isChosen(MIXED, given.only) ? await runMixed(place, server, { ...people, words }, how) : undefined
        if (!isChosen(START, given.only)) return { rows: measured, mixed }
        await server.stop()
        say(`${database}: starting …`)
        return { rows: measured, mixed, starts: await measureStarts(place, first) }
      }),
    )
  const results: { database: DatabaseName; rows: Measured[]; mixed: Mixed | undefined; starts?: Starts }[] = []
  for (const database of given.databases) results.push({ database, ...(await measureAll(database)) })
  const machine = `${availableParallelism()} × ${cpus()[0]?.model.trim()}, Node ${process.versions.node}, ${process.platform}`
  for (const { database, rows, mixed, starts } of results) {
    process.stdout.write(
      `\n${database}, ${given.posts} posts, by ${given.tool === withWrk ? 'wrk' : 'autocannon'}, ${machine}\n${table(rows, judged(database))}`,
    )
    if (mixed) process.stdout.write(`\neverything at once, ${MIXED_CONNECTIONS} connections, ${given.mixed} s\n${mixedTable(mixed)}`)
    if (starts) process.stdout.write(startText(starts, judged(database)))
  }
  if (given.json) writeFileSync(given.json, `${JSON.stringify({ machine, posts: given.posts, results }, null, 2)}\n`)
  return results.every(
    ({ database, rows, starts }) =>
      !judged(database) || (rows.every((row) => row.met !== false) && (starts?.median ?? 0) <= LONGEST_START_MS),
  )
}

// process.exit runs the cleanup of directories and servers, unlike a signal.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

const given = options()
if (!given) process.stdout.write(USAGE)
else if (given.profile !== undefined) await runProfile(given)
else if (!(await runAll(given))) process.exitCode = 1
