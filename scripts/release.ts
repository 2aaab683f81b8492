import { rmSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import { buildPackages, packPackages } from './release/pack.ts'
import { releaseNotes, setVersion } from './release/version.ts'

const root = resolve('.')
const target = resolve('release')

const build = async (): Promise<void> => {
  rmSync(target, { recursive: true, force: true })
  await buildPackages(root, target)
}

const COMMANDS: Readonly<Record<string, (version: string) => void | Promise<void>>> = {
  /** Builds the published packages in `release/`. */
  build,
  /** Builds and packs them. */
  pack: async () => {
    await build()
    for (const tarball of Object.values(packPackages(target))) console.log(relative(root, tarball))
  },
  /** Sets the version of all packages and dates the changelog. */
  version: (version) => setVersion(root, version, new Date().toISOString().slice(0, 10)),
  /** Prints the changes of the version that is about to be published. */
  notes: (version) => {
    process.stdout.write(releaseNotes(root, version))
  },
}

const [, , name = 'build', version = ''] = process.argv
const command = COMMANDS[name]
if (!command) throw new Error(`usage: npm run release -- [${Object.keys(COMMANDS).join('|')}] [VERSION]`)
await command(version)
