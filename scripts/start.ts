import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'
import { builtProgram } from '../packages/server/bin/built.ts'

/*
 * Builds what is missing, in a process of its own, and becomes the server. A "prestart" would never run: npm leaves it out where install scripts
 * are switched off, as they are here.
 */
if (!builtProgram()) spawnSync(process.execPath, [resolve('scripts/build.ts')], { stdio: 'inherit' })
await import('../packages/server/bin/lyceum.mjs' as string)
