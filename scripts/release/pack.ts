import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { builtProgram } from '../../packages/server/bin/built.ts'
import { buildSdkPackage } from './sdk-package.ts'
import { buildServerPackage } from './server-package.ts'

const PACKAGES = { lyceum: buildServerPackage, sdk: buildSdkPackage } as const

type Name = keyof typeof PACKAGES

/** Builds the published packages as folders below `target`. */
export const buildPackages = async (root: string, target: string): Promise<void> => {
  if (!builtProgram()) execFileSync(process.execPath, [join(root, 'scripts/build.ts'), '--strict'], { cwd: root, stdio: 'inherit' })
  for (const [name, build] of Object.entries(PACKAGES)) await build(root, join(target, name))
}

/** Packs the built packages as npm publishes them. Returns the paths of the tarballs. */
export const packPackages = (target: string): Record<Name, string> => {
  const tarballs = join(target, 'tarballs')
  mkdirSync(tarballs, { recursive: true })
  const pack = (name: Name): string => {
    const options = ['pack', join(target, name), '--ignore-scripts', '--json', '--silent', '--pack-destination', tarballs]
    const [packed] = JSON.parse(execFileSync('npm', options, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })) as {
      filename: string
    }[]
    return join(tarballs, packed?.filename ?? '')
  }
  return { lyceum: pack('lyceum'), sdk: pack('sdk') }
}
