import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, linkSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { findLocked, type Locked, type Lockfile } from '../audit/lockfile.ts'

const OWN_FOLDER = /^packages\/[^/]+\/node_modules\//

/** Hard links need no space and no time; another file system gets a copy. */
const linkOrCopy = (from: string, to: string): void => {
  try {
    linkSync(from, to)
  } catch {
    cpSync(from, to)
  }
}

/** Links the files of a package, without the packages below it. */
const linkPackage = (from: string, to: string): void => {
  mkdirSync(to, { recursive: true })
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    if (entry.name === 'node_modules') continue
    if (entry.isDirectory()) linkPackage(join(from, entry.name), join(to, entry.name))
    else linkOrCopy(join(from, entry.name), join(to, entry.name))
  }
}

/** Installs a packed package in `project` as npm does, but takes the packages that it depends on from the installation of the repository. */
export const install = (root: string, project: string, tarball: string): void => {
  const modules = join(project, 'node_modules')
  const extracted = join(project, 'extracted')
  mkdirSync(extracted, { recursive: true })
  execFileSync('tar', ['-xzf', tarball, '-C', extracted])
  const manifest = JSON.parse(readFileSync(join(extracted, 'package/package.json'), 'utf8')) as Locked & { readonly name: string }
  linkPackage(join(extracted, 'package'), join(modules, manifest.name))

  const lockfile = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as Lockfile
  const namesOf = ({ dependencies, optionalDependencies }: Locked) => Object.keys({ ...dependencies, ...optionalDependencies })
  const needed = new Map<string, string>()
  const add = (path: string | undefined, target: string) => {
    if (path === undefined || needed.has(path) || !existsSync(join(root, path))) return
    needed.set(path, target)
    for (const name of namesOf(lockfile.packages[path] ?? {})) {
      const found = findLocked(lockfile, path, name)
      add(found, `${found}`.replace(OWN_FOLDER, `node_modules/${manifest.name}/node_modules/`))
    }
  }
  for (const [name, version] of Object.entries({ ...manifest.dependencies, ...manifest.optionalDependencies })) {
    const path = findLocked(lockfile, 'packages/server', name)
    if (path === undefined || lockfile.packages[path]?.version !== version) throw new Error(`the lockfile does not have ${name} ${version}`)
    add(path, path.replace(OWN_FOLDER, `node_modules/${manifest.name}/node_modules/`))
  }
  for (const [path, target] of needed) {
    mkdirSync(dirname(join(project, target)), { recursive: true })
    linkPackage(join(root, path), join(project, target))
  }
}
