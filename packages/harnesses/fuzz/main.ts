import { rmSync } from 'node:fs'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { startPostgres } from '#test/services/postgres.ts'
import { scratchFolder } from '#test/services/private-server.ts'
import { findings, summary, table } from './report.ts'
import { fuzz } from './run.ts'

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '100000' },
    database: { type: 'string', default: 'sqlite' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
})
const [requests, seed] = [Number(values.requests), Number(values.seed)]
if (!['sqlite', 'postgres'].includes(values.database) || !(requests > 0) || !Number.isInteger(seed)) {
  process.stderr.write('npm run fuzz -- [--requests N] [--database sqlite|postgres] [--seed N]\n')
  process.exit(2)
}

const dataDir = scratchFolder('fuzz')
const cluster = values.database === 'postgres' ? await startPostgres() : null
if (cluster) {
  const client = new pg.Client({ connectionString: cluster.url })
  await client.connect()
  await client.query('create database fuzz')
  await client.end()
}
const databaseUrl = cluster ? cluster.url.replace('/postgres?', '/fuzz?') : ''

let failed = true
try {
  process.stdout.write(`seed ${seed}\n`)
  const report = await fuzz({
    env: { LYCEUM_DATA_DIR: dataDir, LYCEUM_DATABASE_URL: databaseUrl },
    requests,
    seed,
    progress: (done) => {
      if (process.stderr.isTTY) process.stderr.write(`\r${done} of ${requests}`)
    },
  })
  failed = report.faults.length + report.violations.length + report.complaints.length > 0
  process.stdout.write(`\n${table(report)}\n\n${summary(report, values.database)}\n`)
  if (failed) process.stdout.write(`\n${findings(report)}\n`)
} finally {
  await cluster?.stop()
  rmSync(dataDir, { recursive: true, force: true })
}
process.exit(failed ? 1 : 0)
