import { rmSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import { buildPackages, packPackages } from './release/pack.ts'

/*
 * Builds the published packages in release/. `pack` also packs them.
 */
const target = resolve('release')
rmSync(target, { recursive: true, force: true })
await buildPackages(resolve('.'), target)
if (process.argv[2] === 'pack') for (const tarball of Object.values(packPackages(target))) console.log(relative('.', tarball))
