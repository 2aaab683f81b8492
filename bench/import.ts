import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { startPostgres } from '../packages/server/test-support/services/postgres.ts'
import { writeDump } from './import-dump.ts'
import { LYCEUM, lyceum, type Place, settingsOf } from './server.ts'

const USAGE = `node bench/import.ts [options]: an import of a FluentCommunity dump into an empty community; Linux only
  --posts N         default: 10000
  --comments N      for each post; default: 3
  --people N        default: 20000
  --spaces N        default: 200
  --memberships N   default: 100000
  --database NAME   sqlite or postgres; default: sqlite
  --dump FILE       writes the dump to this file and keeps it
`
const SAMPLE_MS = 500
const MIB = 1024 * 1024

/** Highest memory, CPU time and disk traffic of a process so far. */
const usageOf = (pid: number) => {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const io = readFileSync(`/proc/${pid}/io`, 'utf8')
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')
  const numberIn = (text: string, pattern: RegExp) => Number(pattern.exec(text)?.[1] ?? 0)
  return {
    mostMib: numberIn(status, /^VmHWM:\s+(\d+)/m) / 1024,
    cpuSeconds: (Number(stat[11]) + Number(stat[12])) / 100,
    writtenMib: numberIn(io, /^write_bytes: (\d+)/m) / MIB,
    readMib: numberIn(io, /^read_bytes: (\d+)/m) / MIB,
  }
}

/** Runs the import, prints its messages with their times, and returns what it used. */
const runImport = async (place: Place, dump: string) => {
  const begun = performance.now()
  const seconds = () => (performance.now() - begun) / 1000
  const child = spawn(process.execPath, [LYCEUM, 'import', 'fluentcommunity', dump], {
    env: { ...process.env, ...settingsOf(place) },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const { pid } = child
  if (pid === undefined) throw new Error('the import did not start')
  for (const stream of [child.stdout, child.stderr])
    createInterface(stream).on('line', (line) => console.log(`${seconds().toFixed(1).padStart(8)} s  ${line}`))
  let used = usageOf(pid)
  const exited = once(child, 'exit')
  while (child.exitCode === null) {
    await Promise.race([exited, sleep(SAMPLE_MS)])
    try {
      used = usageOf(pid)
    } catch {
      break
    }
  }
  const [code] = await exited
  if (code !== 0) throw new Error(`the import ended with ${code}`)
  return { seconds: seconds(), ...used }
}

const { values } = parseArgs({
  options: {
    posts: { type: 'string', default: '10000' },
    comments: { type: 'string', default: '3' },
    people: { type: 'string', default: '20000' },
    spaces: { type: 'string', default: '200' },
    memberships: { type: 'string', default: '100000' },
    database: { type: 'string', default: 'sqlite' },
    dump: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})
if (values.help) {
  console.log(USAGE)
  process.exit()
}

const folder = mkdtempSync(join(tmpdir(), 'lyceum-import-'))
const postgres = values.database === 'postgres' ? await startPostgres() : undefined
try {
  const dump = values.dump ?? join(folder, 'site.sql')
  const size = {
    posts: Number(values.posts),
    commentsPerPost: Number(values.comments),
    people: Number(values.people),
    spaces: Number(values.spaces),
    memberships: Number(values.memberships),
  }
  await writeDump(dump, size)
  console.log(`dump: ${(statSync(dump).size / MIB).toFixed(0)} MiB`)
  const place: Place = { dataDir: join(folder, 'data'), databaseUrl: postgres?.url ?? '' }
  await lyceum(place, 'migrate')
  const { seconds, mostMib, cpuSeconds, writtenMib, readMib } = await runImport(place, dump)
  const records = size.posts * (1 + size.commentsPerPost)
  console.log(
    `${values.database}, ${size.posts} posts: ${seconds.toFixed(0)} s, ${((cpuSeconds * 1000) / records).toFixed(2)} CPU s per 1,000 posts and comments, ` +
      `at most ${mostMib.toFixed(0)} MiB, ${writtenMib.toFixed(0)} MiB written, ${readMib.toFixed(0)} MiB read`,
  )
} finally {
  await postgres?.stop()
  rmSync(folder, { recursive: true, force: true })
}
