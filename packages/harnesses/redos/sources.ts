import { execFileSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { api } from '@lyceum/contract'
import { parseSync } from 'vite'
import type { Expression } from './measure.ts'

type Node = { readonly type?: string; readonly start?: number; readonly [key: string]: unknown }

export const ROOT = join(import.meta.dirname, '../../..')

/** Every source file that the server or a client runs. */
const files = (): string[] =>
  globSync('packages/{server,content,mail,contract,importers,transfer,demo,sdk}/src/**/*.ts', { cwd: ROOT })
    .filter((file) => !/\.test\.ts$/.test(file))
    .sort()

interface Written {
  readonly literals: readonly Expression[]
  /** Places that build expressions: `file:line`. */
  readonly built: readonly string[]
}

const writtenIn = (file: string, text: string): Written => {
  const { program, errors } = parseSync(file, text)
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`)
  const literals: Expression[] = []
  const built: string[] = []
  const at = (node: Node) => `${file}:${text.slice(0, node.start).split('\n').length}`
  const visit = (node: unknown): void => {
    if (node === null || typeof node !== 'object') return
    const { type, regex, callee } = node as Node
    if (type === 'Literal' && regex) {
      const { pattern, flags } = regex as { pattern: string; flags: string }
      literals.push({ source: pattern, flags, where: at(node as Node) })
    }
    if (
      (type === 'NewExpression' || type === 'CallExpression') &&
      (callee as Node).type === 'Identifier' &&
      (callee as Node)['name'] === 'RegExp'
    )
      built.push(at(node as Node))
    for (const part of Object.values(node)) visit(part)
  }
  visit(program)
  return { literals, built }
}

/** The literal expressions, and the places that build others. */
export const written = (): Written => {
  const all = files().map((file) => writtenIn(file, readFileSync(join(ROOT, file), 'utf8')))
  return { literals: all.flatMap(({ literals }) => literals), built: all.flatMap(({ built }) => built) }
}

/** The expressions that the server builds while it loads all modules and starts, in a separate process. */
export const built = (dataDir: string): Expression[] => {
  // Modules that start working when they are loaded are excluded.
  const modules = files().filter(
    (file) =>
      /^packages\/(?:server|content|mail)\/src\//.test(file) &&
      !/\/src\/(cli\/)?main\.ts$|-worker\.ts$|\/sqlite-checkpoints\.ts$/.test(file),
  )
  const output = execFileSync(process.execPath, [join(import.meta.dirname, 'load.ts'), dataDir, ...modules], {
    cwd: ROOT,
    encoding: 'utf8',
  })
  return JSON.parse(output) as Expression[]
}

/** The field patterns of the contract, as validators compile them. */
export const patterns = (): Expression[] => {
  const found = new Map<string, Expression>()
  const visit = (node: unknown, where: string): void => {
    if (node === null || typeof node !== 'object') return
    const { pattern } = node as Node
    if (typeof pattern === 'string' && !found.has(pattern)) found.set(pattern, { source: pattern, flags: 'u', where })
    for (const [name, part] of Object.entries(node)) visit(part, `${where}.${name}`)
  }
  for (const [group, routes] of Object.entries(api)) visit(routes, group)
  return [...found.values()]
}
