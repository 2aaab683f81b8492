import { chmodSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { BUILT, builtProgram, hashOfSources, PROGRAM, SOURCE_HASH } from '../packages/server/bin/built.ts'
import { buildServer } from './build/server.ts'
import { buildWeb } from './build/web.ts'

/** Builds what is missing or older than its sources. Output folders are replaced atomically. */
const build = async (): Promise<void> => {
  if (builtProgram()) return
  const started = performance.now()
  const hash = hashOfSources()
  const folder = mkdtempSync(join(dirname(BUILT), 'dist-'))
  try {
    await buildServer(resolve('packages/server/src/cli/main.ts'), folder, PROGRAM)
    await buildWeb(resolve('packages/web'), join(folder, 'web'))
    writeFileSync(join(folder, SOURCE_HASH), hash)
    chmodSync(folder, 0o755)
    rmSync(BUILT, { recursive: true, force: true })
    renameSync(folder, BUILT)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  process.stdout.write(`Built the server and the web app in ${((performance.now() - started) / 1000).toFixed(1)} s.\n`)
}

await build().catch((error: unknown) => {
  process.stderr.write(`Lyceum could not be built: ${error instanceof Error ? error.message : error}\n`)
  process.exitCode = 1
})
