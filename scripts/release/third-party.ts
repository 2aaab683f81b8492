import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { findLocked, type Locked, type Lockfile, nameOf } from '../audit/lockfile.ts'

const SERVER = /^packages\/(?:compat|content|contract|demo|importers|mail|server|transfer)$/
const WEB = 'packages/web'
const LICENSE = /^(?:licen[cs]e|copying|notice)(?:[.-].*)?$/i

const namesOf = ({ dependencies, optionalDependencies, peerDependencies }: Locked) =>
  Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })

/** Paths of the installed third-party packages that the server and the web app consist of. */
const parts = (root: string, lockfile: Lockfile): Set<string> => {
  const found = new Set<string>()
  const add = (from: string, names: readonly string[]): void => {
    for (const name of names) {
      const path = findLocked(lockfile, from, name)
      if (path === undefined || found.has(path) || !path.includes('node_modules/') || !existsSync(join(root, path))) continue
      found.add(path)
      add(path, namesOf(lockfile.packages[path] ?? {}))
    }
  }
  for (const [path, locked] of Object.entries(lockfile.packages)) {
    if (SERVER.test(path)) add(path, namesOf(locked))
    if (path === WEB)
      add(
        path,
        Object.keys(locked.devDependencies ?? {}).filter((name) => !name.startsWith('@types/')),
      )
  }
  return found
}

const licenseOf = (root: string, path: string): string => {
  const files = readdirSync(join(root, path), { withFileTypes: true }).filter((entry) => entry.isFile() && LICENSE.test(entry.name))
  if (files.length > 0) return files.map(({ name }) => readFileSync(join(root, path, name), 'utf8').trim()).join('\n\n')
  const { license } = JSON.parse(readFileSync(join(root, path, 'package.json'), 'utf8')) as { license?: unknown }
  return `License: ${typeof license === 'string' ? license : JSON.stringify(license ?? 'see the package')}`
}

/** The license texts of the third-party packages in the built server and web app, each text once. */
export const thirdPartyLicenses = (root: string, lockfile: Lockfile): string => {
  const packages = new Map<string, string[]>()
  for (const path of [...parts(root, lockfile)].sort()) {
    const text = licenseOf(root, path)
    packages.set(text, [...(packages.get(text) ?? []), `${nameOf(path)} ${lockfile.packages[path]?.version}`])
  }
  const sections = [...packages].map(([text, names]) => `${[...new Set(names)].join('\n')}\n\n${text}\n`)
  return `Lyceum contains or requires these packages.\n\n${sections.join(`\n${'-'.repeat(80)}\n\n`)}`
}
