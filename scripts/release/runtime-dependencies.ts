import { readdirSync, readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { join } from 'node:path'
import { parseSync } from 'vite'
import { findLocked, type Lockfile } from '../audit/lockfile.ts'

const LITERAL = /^['"`]([^'"`$]*)['"`]$/
/** Libraries that the server loads on first use. */
const LAZY = /\blazyRequire(?:\$\d+)?\(["'`]([^"'`]+)["'`]\)/g

const importsOf = (file: string): string[] => {
  const text = readFileSync(file, 'utf8')
  const { module } = parseSync(file, text)
  return [
    ...module.staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...module.staticExports.flatMap(({ entries }) => entries.flatMap(({ moduleRequest }) => moduleRequest?.value ?? [])),
    ...module.dynamicImports.flatMap(({ moduleRequest: { start, end } }) => LITERAL.exec(text.slice(start, end))?.[1] ?? []),
    ...[...text.matchAll(LAZY)].map(([, name]) => String(name)),
  ]
}

const packageOf = (specifier: string) => /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? specifier

/** Packages that the built files in `folder` load, with their exact versions in the lockfile. */
export const runtimeDependencies = (folder: string, lockfile: Lockfile, from: string): Record<string, string> => {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.js'))
  const specifiers = files.flatMap((name) => importsOf(join(folder, name)))
  const names = new Set(specifiers.filter((name) => !/^[./]/.test(name) && !isBuiltin(name)).map(packageOf))
  return Object.fromEntries(
    [...names].sort().map((name) => {
      const path = findLocked(lockfile, from, name)
      const version = path === undefined ? undefined : lockfile.packages[path]?.version
      if (version === undefined) throw new Error(`the built server loads ${name}, which the lockfile does not have`)
      return [name, version]
    }),
  )
}
