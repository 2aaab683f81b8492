import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'
import { builtProgram } from '../packages/server/bin/built.ts'

/*
 * Builds what is missing in a separate process, then starts the server. A "prestart" script would not run, because npm skips it if install
 * scripts are disabled, as they are here.
 */
if (!builtProgram()) spawnSync(process.execPath, [resolve('scripts/build.ts')], { stdio: 'inherit' })
await import('../packages/server/bin/lyceum.mjs' as string)
