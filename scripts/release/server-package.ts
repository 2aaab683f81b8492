import { copyFileSync, cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { BUILT, SOURCE_HASH, SOURCE_STATE } from '../../packages/server/bin/built.ts'
import type { Lockfile } from '../audit/lockfile.ts'
import { commonFields, readManifest } from './manifest.ts'
import { runtimeDependencies } from './runtime-dependencies.ts'
import { thirdPartyLicenses } from './third-party.ts'

const SOURCES = 'packages/server'
const THIRD_PARTY = 'THIRD-PARTY-LICENSES.txt'

/** Writes the package `lyceum` to `target`: the built server and web app, the launcher, and a manifest with exact versions. */
export const buildServerPackage = (root: string, target: string): void => {
  rmSync(target, { recursive: true, force: true })
  cpSync(BUILT, join(target, 'dist'), { recursive: true, filter: (path) => ![SOURCE_HASH, SOURCE_STATE].includes(basename(path)) })
  cpSync(join(root, SOURCES, 'data'), join(target, 'data'), { recursive: true })
  cpSync(join(root, SOURCES, 'bin'), join(target, 'bin'), { recursive: true, filter: (path) => !path.endsWith('.ts') })
  copyFileSync(join(root, 'scripts/release/README.md'), join(target, 'README.md'))
  copyFileSync(join(root, 'LICENSE'), join(target, 'LICENSE'))
  const { name, description, optionalDependencies } = readManifest(root)
  const lockfile = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as Lockfile
  writeFileSync(join(target, THIRD_PARTY), thirdPartyLicenses(root, lockfile))
  const manifest = {
    name,
    description,
    ...commonFields(root, SOURCES),
    // An older Node.js hands over to the one that the optional dependencies bring.
    engines: { node: '>=20.20' },
    bin: { lyceum: 'bin/lyceum.mjs' },
    exports: { './package.json': './package.json' },
    files: ['bin', 'data', 'dist', THIRD_PARTY],
    dependencies: runtimeDependencies(join(target, 'dist'), lockfile, SOURCES),
    optionalDependencies,
  }
  writeFileSync(join(target, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
}
