import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const VERSION = /^\d+\.\d+\.\d+(?:-[\w.]+)?$/
const UNRELEASED = /^## (?:\[Unreleased\]|\[[^\]]+\] - Unreleased)$/m
const OURS = /^@lyceum\//

type Json = Readonly<Record<string, unknown>>

const checked = (version: string): string => {
  if (!VERSION.test(version)) throw new Error(`"${version}" is not a version such as 1.2.3 or 1.2.3-beta.1`)
  return version
}

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null

/** A manifest with another version, which the packages of the repository also require of each other. */
export const withVersion = (manifest: Json, version: string): Json =>
  Object.fromEntries(
    Object.entries(manifest).map(([key, value]) => {
      if (key === 'version') return [key, version]
      if (!/dependencies$/i.test(key) || !isObject(value)) return [key, value]
      return [key, Object.fromEntries(Object.entries(value).map(([name, range]) => [name, OURS.test(name) ? version : range]))]
    }),
  )

/** The lockfile with another version of the packages of the repository. */
export const lockWithVersion = (lockfile: Json, version: string): Json => ({
  ...withVersion(lockfile, version),
  packages: Object.fromEntries(
    Object.entries(lockfile['packages'] as Readonly<Record<string, Json>>).map(([path, locked]) => [
      path,
      path.includes('node_modules/') ? locked : withVersion(locked, version),
    ]),
  ),
})

/** The changelog in which the unreleased changes are those of `version`. */
export const releaseChangelog = (changelog: string, version: string, date: string): string => {
  if (!UNRELEASED.test(changelog)) throw new Error('the changelog has no unreleased changes')
  return changelog.replace(UNRELEASED, `## [${checked(version)}] - ${date}`)
}

/** The changes of a released version, for its release notes. */
export const notesOf = (changelog: string, version: string): string => {
  const section = changelog.split(/^(?=## )/m).find((part) => part.startsWith(`## [${checked(version)}] - `))
  const [heading = '', ...lines] = section?.split('\n') ?? []
  if (!/ - \d{4}-\d{2}-\d{2}$/.test(heading)) throw new Error(`the changelog has no released version ${version}`)
  return `${lines.join('\n').trim()}\n`
}

/** Sets the version of all packages and dates the changelog. */
export const setVersion = (root: string, version: string, date: string): void => {
  const change = (file: string, edit: (text: string) => string) => {
    const path = join(root, file)
    writeFileSync(path, edit(readFileSync(path, 'utf8')))
  }
  const json = (edit: (content: Json) => Json) => (text: string) => `${JSON.stringify(edit(JSON.parse(text) as Json), null, 2)}\n`
  change('CHANGELOG.md', (text) => releaseChangelog(text, version, date))
  for (const file of ['package.json', 'bench/package.json', ...globSync('packages/*/package.json', { cwd: root })])
    change(
      file,
      json((manifest) => withVersion(manifest, version)),
    )
  change(
    'package-lock.json',
    json((lockfile) => lockWithVersion(lockfile, version)),
  )
}

/** The notes of a version, which must be the version of the packages. */
export const releaseNotes = (root: string, version: string): string => {
  const { version: present } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
  if (present !== version) throw new Error(`the packages have the version ${present}, not ${version}`)
  return notesOf(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'), version)
}
