import { existsSync, globSync, readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { dirname, join, normalize } from 'node:path'
import { parseSync } from 'vite'
import { type Import, isTest, knowsDialect, RULES } from './rules.ts'

const SOURCES = [
  'packages/*/{src,test,test-support}/**/*.{ts,tsx,mts}',
  'packages/harnesses/**/*.ts',
  'bench/**/*.ts',
  'e2e/**/*.ts',
  'scripts/**/*.ts',
]

export type Violation = { rule: string; at: string; detail: string }

/** Type imports count too. Fewer than `leastModules` modules with imports are a violation, so that a broken scan is noticed. */
export function checkBoundaries(root: string, leastModules: number): { modules: number; imports: number; violations: Violation[] } {
  const files = SOURCES.flatMap((pattern) => globSync(pattern, { cwd: root, exclude: (name) => name === 'node_modules' })).map((file) =>
    file.replaceAll('\\', '/'),
  )
  const texts = new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]))
  const manifests = readManifests(root)
  const links = files.flatMap((file) => importsOf(file, texts.get(file) ?? '', manifests))

  const violations = links.flatMap((link) => RULES.filter((rule) => rule.forbids(link)).map((rule) => violation(rule.name, link, rule.why)))
  for (const link of links) {
    if (!link.external && !existsSync(join(root, link.to))) violations.push(violation('unresolved', link, 'there is no such file'))
    if (link.external && !isDeclared(link, manifests)) violations.push(violation('undeclared', link, 'package.json does not list it'))
  }
  for (const [file, text] of texts) {
    if (knowsDialect(file, text)) violations.push({ rule: 'dialect-in-db', at: file, detail: 'only db knows which database it runs on' })
  }
  for (const cycle of cyclesOf(links)) violations.push({ rule: 'no-cycles', at: cycle[0] ?? '', detail: cycle.join(' → ') })

  const modules = new Set(links.map((link) => link.from)).size
  if (modules < leastModules)
    violations.push({
      rule: 'seen-enough',
      at: root,
      detail: `only ${modules} modules with imports were seen, at least ${leastModules} must be`,
    })
  return { modules, imports: links.length, violations }
}

const violation = (rule: string, link: Import, why: string): Violation => ({
  rule,
  at: `${link.from}:${link.line}`,
  detail: `imports ${link.specifier}: ${why}`,
})

// Manifests of the workspace packages by folder; '' is the root.

type Manifest = { folder: string; name: string; exports: Paths; imports: Paths; dependencies: Set<string> }
/** Key and path can contain one `*`, as in package.json. */
type Paths = Record<string, string>

function readManifests(root: string): Manifest[] {
  return ['package.json', ...globSync(['packages/*/package.json', 'bench/package.json', 'e2e/package.json'], { cwd: root })].map((file) => {
    const json = JSON.parse(readFileSync(join(root, file), 'utf8'))
    return {
      folder: dirname(file) === '.' ? '' : dirname(file).replaceAll('\\', '/'),
      name: json.name,
      exports: typeof json.exports === 'string' ? { '.': json.exports } : (json.exports ?? {}),
      imports: json.imports ?? {},
      dependencies: new Set(Object.keys({ ...json.dependencies, ...json.devDependencies, ...json.optionalDependencies })),
    }
  })
}

function isDeclared(link: Import, manifests: Manifest[]): boolean {
  const { to: name } = link
  if (isBuiltin(name)) return true
  const own = manifests.find(({ folder }) => folder && link.from.startsWith(`${folder}/`))
  const top = manifests.find(({ folder }) => !folder)
  const declares = (manifest: Manifest | undefined) => [name, typesOf(name)].some((n) => manifest?.dependencies.has(n))
  return manifests.some((manifest) => manifest.name === name) || declares(own) || (isTest(link.from) && declares(top))
}

const typesOf = (name: string) => `@types/${name.replace(/^@/, '').replace('/', '__')}`

// The imports of one file

function importsOf(file: string, text: string, manifests: Manifest[]): Import[] {
  const { module, errors } = parseSync(file, text)
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`)
  const found = [
    ...module.staticImports.map((node) => ({
      specifier: node.moduleRequest.value,
      start: node.start,
      typeOnly: /^import\s+type\b/.test(text.slice(node.start, node.end)),
    })),
    ...module.staticExports.flatMap((node) => {
      const request = node.entries.find((entry) => entry.moduleRequest)?.moduleRequest
      return request
        ? [{ specifier: request.value, start: node.start, typeOnly: /^export\s+type\b/.test(text.slice(node.start, node.end)) }]
        : []
    }),
    ...module.dynamicImports.flatMap((node) => {
      const literal = /^['"`]([^'"`$]*)['"`]$/.exec(text.slice(node.moduleRequest.start, node.moduleRequest.end))
      return literal?.[1] ? [{ specifier: literal[1], start: node.start, typeOnly: false }] : []
    }),
  ]
  return found.map(({ specifier, start, typeOnly }) => ({
    from: file,
    specifier,
    typeOnly,
    line: text.slice(0, start).split('\n').length,
    ...target(file, specifier, manifests),
  }))
}

function target(file: string, specifier: string, manifests: Manifest[]): { to: string; external: boolean } {
  if (specifier.startsWith('.')) return { to: inTree(dirname(file), specifier), external: false }
  if (specifier.startsWith('#')) {
    const own = manifests.find(({ folder }) => folder && file.startsWith(`${folder}/`))
    const path = pathIn(own?.imports ?? {}, specifier)
    if (!path) return { to: `no such import: ${specifier}`, external: false }
    return path.startsWith('.') ? { to: inTree(own?.folder ?? '', path), external: false } : target(file, path, manifests)
  }
  const name = /^(@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? specifier
  const home = manifests.find((manifest) => manifest.folder && manifest.name === name)
  if (!home) return { to: isBuiltin(specifier) ? specifier : name, external: true }
  const path = pathIn(home.exports, `.${specifier.slice(name.length)}`) ?? `no such export: ${specifier}`
  return { to: inTree(home.folder, path), external: false }
}

const inTree = (folder: string, path: string) => normalize(join(folder, path)).replaceAll('\\', '/')

function pathIn(paths: Paths, name: string): string | undefined {
  if (paths[name]) return paths[name]
  for (const [pattern, path] of Object.entries(paths)) {
    const [before = '', after] = pattern.split('*')
    if (after === undefined || !name.startsWith(before) || !name.endsWith(after)) continue
    return path.replace('*', name.slice(before.length, name.length - after.length))
  }
  return undefined
}

/** Import cycles as closed paths. Not all of them, but at least one if there are any. */
function cyclesOf(links: Import[]): string[][] {
  const next = new Map<string, string[]>()
  for (const { from, to, external } of links) if (!external) next.set(from, [...(next.get(from) ?? []), to])
  const done = new Set<string>()
  const path: string[] = []
  const cycles: string[][] = []
  const visit = (file: string): void => {
    const seenAt = path.indexOf(file)
    if (seenAt >= 0) cycles.push([...path.slice(seenAt), file])
    if (seenAt >= 0 || done.has(file)) return
    path.push(file)
    for (const other of next.get(file) ?? []) visit(other)
    path.pop()
    done.add(file)
  }
  for (const file of next.keys()) visit(file)
  return cycles
}
