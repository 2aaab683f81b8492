/** A package in the lockfile. */
export interface Locked {
  readonly version?: string
  readonly resolved?: string
  readonly integrity?: string
  readonly link?: boolean
  readonly dev?: boolean
  readonly hasInstallScript?: boolean
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
}

export interface Lockfile {
  readonly lockfileVersion?: number
  readonly packages: Readonly<Record<string, Locked>>
}

export interface Rules {
  /** The only allowed registry. Without a URL, npm uses the configured registry and verifies the hash. */
  readonly registry: string
  /** Packages that are allowed to have an install script, with the reason. */
  readonly installScripts: Readonly<Record<string, string>>
  /** Maximum number of direct third-party dependencies of server, client and contract. */
  readonly mostDirect: number
}

const FOLDER = 'node_modules/'
const STRONG = /^sha(?:512|384|256)-/
const EXACT = /^\d+\.\d+\.\d+(?:-[\w.-]+)?$/

const isOurs = (path: string) => !path.includes(FOLDER)
/** Name of the package. */
export const nameOf = (path: string) => path.slice(path.lastIndexOf(FOLDER) + FOLDER.length)

/** Third-party packages that our packages need at runtime, without duplicates. */
export const directDependencies = ({ packages }: Lockfile): string[] => {
  const ours = new Set(Object.entries(packages).flatMap(([path, { link }]) => (link ? nameOf(path) : [])))
  const named = Object.entries(packages).flatMap(([path, { dependencies = {} }]) => (isOurs(path) ? Object.keys(dependencies) : []))
  return [...new Set(named)].filter((name) => !ours.has(name)).sort()
}

const problemsOf = (path: string, locked: Locked, { registry, installScripts }: Rules): string[] => {
  const problems: string[] = []
  if (locked.link) return locked.resolved && isOurs(locked.resolved) ? [] : [`${path}: is a link out of this repository`]
  if (!STRONG.test(locked.integrity ?? '')) problems.push(`${path}: has no strong hash`)
  if (locked.resolved !== undefined && !locked.resolved.startsWith(registry)) problems.push(`${path}: comes from ${locked.resolved}`)
  if (!EXACT.test(locked.version ?? '')) problems.push(`${path}: has no plain version`)
  if (locked.hasInstallScript && !Object.hasOwn(installScripts, nameOf(path)))
    problems.push(`${path}: runs a script when it is installed, and no reason is given for it`)
  return problems
}

/** Problems of a lockfile. Empty if all packages are as reviewed. */
export const lockfileProblems = (lockfile: Lockfile, rules: Rules): string[] => {
  const entries = Object.entries(lockfile.packages)
  const problems = entries.flatMap(([path, locked]) => (isOurs(path) ? [] : problemsOf(path, locked, rules)))
  for (const [path, { dependencies, devDependencies, optionalDependencies }] of entries) {
    if (!isOurs(path)) continue
    for (const [name, version] of Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies }))
      if (!EXACT.test(version)) problems.push(`${path || 'package.json'}: ${name} is wanted as ${version}, which is no exact version`)
  }
  for (const name of Object.keys(rules.installScripts))
    if (!entries.some(([path, { hasInstallScript }]) => hasInstallScript && nameOf(path) === name))
      problems.push(`${name}: is allowed a script that it does not have`)
  const direct = directDependencies(lockfile)
  if (direct.length > rules.mostDirect) problems.push(`${direct.length} packages are direct dependencies, and ${rules.mostDirect} may be`)
  if (lockfile.lockfileVersion !== 3) problems.push(`the lockfile is of version ${lockfile.lockfileVersion}`)
  return problems
}

/** Resolves a dependency of a package: in its own folder or in a parent. */
export const findLocked = ({ packages }: Lockfile, from: string, name: string): string | undefined => {
  for (let place = from; ; ) {
    const path = `${place ? `${place}/` : ''}${FOLDER}${name}`
    const found = packages[path]
    if (found) return found.link ? found.resolved : path
    if (!place) return undefined
    const above = place.lastIndexOf(`/${FOLDER}`)
    place = above < 0 ? '' : place.slice(0, above)
  }
}

/** Paths of all required packages, except for those that only packages in `but` need. */
export const neededBut = (lockfile: Lockfile, but: ReadonlySet<string>): Set<string> => {
  const ours = Object.entries(lockfile.packages).filter(([path, { link }]) => isOurs(path) || link)
  const needed = new Set(ours.map(([path]) => path))
  for (const path of needed) {
    const locked = lockfile.packages[path] ?? {}
    const own = isOurs(path) ? locked.devDependencies : {}
    for (const name of Object.keys({ ...locked.dependencies, ...locked.optionalDependencies, ...locked.peerDependencies, ...own })) {
      if (isOurs(path) && but.has(name)) continue
      const found = findLocked(lockfile, path, name)
      if (found !== undefined) needed.add(found)
    }
  }
  return needed
}
