import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { type Found, table, withResults } from './soak/evidence.ts'
import { HARNESSES, type Harness } from './soak/harnesses.ts'

const EVIDENCE = resolve('docs/evidence.md')
const HELP = `npm run soak -- [--only NAME,…] [--on sqlite|postgres|unit|browser] [--times N] [--write]

Runs the harnesses for long, one after the other: ${HARNESSES.map(({ name }) => name).join(', ')}.
--times   how many times over; each harness knows its own measure
--write   write the results into docs/evidence.md
`

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    on: { type: 'string' },
    times: { type: 'string' },
    write: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})
if (values.help) {
  process.stdout.write(HELP)
  process.exit()
}
const only = values.only?.split(',')
const chosen = HARNESSES.filter(({ name }) => !only || only.includes(name))
if (chosen.length === 0 || (only && chosen.length < only.length)) {
  process.stderr.write(HELP)
  process.exit(2)
}

const vitest = (project: string, { files, times }: Harness, results: string): Promise<boolean> =>
  new Promise((done) => {
    const env = { ...process.env, LYCEUM_TEST_SOAK: values.times ?? String(times), LYCEUM_TEST_RESULTS: results }
    const program = resolve('node_modules/vitest/vitest.mjs')
    const child = spawn(process.execPath, [program, 'run', '--project', project, ...files], { env, stdio: 'inherit' })
    child.on('exit', (code) => done(code === 0))
  })

const folder = mkdtempSync(join(tmpdir(), 'lyceum-soak-'))
const found: Found[] = []
for (const harness of chosen) {
  for (const on of harness.on.filter((name) => !values.on || values.on === name)) {
    const results = join(folder, `${harness.name}-${on}`)
    const started = Date.now()
    const held = await vitest(on, harness, results)
    found.push({
      name: harness.name,
      shows: harness.shows,
      on,
      held,
      results: existsSync(results) ? readFileSync(results, 'utf8').trim().split('\n') : [],
      minutes: (Date.now() - started) / 60_000,
      date: new Date().toISOString().slice(0, 10),
    })
  }
}
rmSync(folder, { recursive: true })
process.stdout.write(`\n${table(found)}\n`)
if (values.write) writeFileSync(EVIDENCE, withResults(readFileSync(EVIDENCE, 'utf8'), found))
process.exit(found.every(({ held }) => held) ? 0 : 1)
