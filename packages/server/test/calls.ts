import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'vite'

type Node = { readonly type?: string; readonly [key: string]: unknown }

const nameOf = (node: unknown): string | undefined => {
  const { type, name, value } = (node ?? {}) as Node
  if (type === 'Identifier') return name as string
  return type === 'Literal' && typeof value === 'string' ? value : undefined
}

/** `ana.api.feeds.create` → ['feeds', 'create']; `.answer` at the end does not count, and neither does what stands before the group. */
const lastTwo = (callee: unknown): [group: string, name: string] | undefined => {
  const { type, object, property } = (callee ?? {}) as Node
  if (type !== 'MemberExpression') return undefined
  const name = nameOf(property)
  if (name === 'answer') return lastTwo(object)
  const group = (object as Node).type === 'MemberExpression' ? nameOf((object as Node).property) : nameOf(object)
  return group && name ? [group, name] : undefined
}

/** Every `group.name(…)` of a source text that is not merely expected to be refused. Comments and strings do not count. */
export const callsIn = (file: string, text: string): string[] => {
  const { program, errors } = parseSync(file, text)
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`)
  const found: string[] = []
  const visit = (node: unknown): void => {
    if (node === null || typeof node !== 'object') return
    const { type, callee } = node as Node
    if (type === 'CallExpression') {
      if (nameOf(callee) === 'refused') return
      const call = lastTwo(callee)
      if (call) found.push(call.join('.'))
    }
    for (const part of Object.values(node)) visit(part)
  }
  visit(program)
  return found
}

/** Operations that the tests below `root` call through a client, as `group.name`. */
export const testedOperations = (root: string): Set<string> => {
  const files = globSync('packages/*/{src,test}/**/*.test.ts', { cwd: root, exclude: (name) => name === 'node_modules' })
  return new Set(files.flatMap((file) => callsIn(file, readFileSync(join(root, file), 'utf8'))))
}
