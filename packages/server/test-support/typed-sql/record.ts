import { globSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type RecordedStatement, type Recording, recordStatements, takeStatements } from './record-calls.ts'

// Loads the whole server, then on each database uses every operation of the API and the commands that run statements of their own; writes
// each SQL statement with its call site to a file.

const [target = '', folder = '', ...databaseUrls] = process.argv.slice(2)
const SOURCE = resolve(import.meta.dirname, '../../src')
/** Programs and workers, which must not be loaded because loading runs them. */
const PROGRAMS = /(^|\/)main\.ts$|-worker\.ts$|\.test\.ts$/
const SMALL = ['--members', '4', '--spaces', '1', '--posts', '4', '--comments', '4', '--reactions', '4', '--courses', '1']

recordStatements()
const files = globSync('**/*.ts', { cwd: SOURCE }).filter((file) => !PROGRAMS.test(file))
for (const file of files) await import(resolve(SOURCE, file))
const { recordAll } = await import('../api-examples/index.ts')
const { createRecorder } = await import('../api-examples/recorder.ts')
const { runCommand } = await import('../../src/cli/program.ts')

const useOn = async (databaseUrl: string, dataDir: string) => {
  // Each connection to PostgreSQL prepares its statements.
  const env = { LYCEUM_DATA_DIR: dataDir, LYCEUM_DATABASE_URL: databaseUrl, LYCEUM_DATABASE_POOL: '2', LYCEUM_LOG_LEVEL: 'fatal' }
  const recorder = await createRecorder(dataDir, env)
  await recordAll(recorder)
  await recorder.app.digests.run()
  await recorder.app.close()

  const run = async (...args: string[]) => {
    let output = ''
    const write = (text: string) => {
      output += text
    }
    const code = await runCommand(args, { env, out: write, err: write, shows: false, passwordCost: 4, secret: async () => '' })
    if (code !== 0) throw new Error(`lyceum ${args.join(' ')} ended with ${code}: ${output}`)
  }
  await run('demo', ...SMALL)
  await run('points', 'rebuild')
  await run('analytics', 'rebuild')
  await run('doctor', '--repair')
  await run('backup', `${dataDir}-backup`)
}

const loaded = takeStatements()
const used: RecordedStatement[][] = []
for (const [i, url] of databaseUrls.entries()) {
  await useOn(url, join(folder, `data-${i}`))
  used.push(takeStatements())
}
writeFileSync(target, JSON.stringify({ loaded, used } satisfies Recording))
