import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'vite'

type Node = { readonly type?: string; readonly [key: string]: unknown }

const METHOD = /^(GET|POST|PUT|PATCH|DELETE)$/

const nameOf = (node: unknown): string | undefined => {
  const { type, name, value } = (node ?? {}) as Node
  if (type === 'Identifier') return name as string
  return type === 'Literal' && typeof value === 'string' ? value : undefined
}

/** `ana.api.feeds.create` → `feeds.create`; a final `.answer` and everything before the group are ignored. */
const lastTwo = (callee: unknown): string | undefined => {
  const { type, object, property } = (callee ?? {}) as Node
  if (type !== 'MemberExpression') return undefined
  const name = nameOf(property)
  if (name === 'answer') return lastTwo(object)
  const group = (object as Node).type === 'MemberExpression' ? nameOf((object as Node).property) : nameOf(object)
  return group && name ? `${group}.${name}` : undefined
}

/** The text of a string literal, with an x for each template expression. */
const textOf = (node: unknown): string | undefined => {
  const { type, value, quasis } = (node ?? {}) as Node
  if (type === 'Literal' && typeof value === 'string') return value
  if (type !== 'TemplateLiteral') return undefined
  return (quasis as readonly { value: { cooked: string } }[]).map(({ value }) => value.cooked).join('x')
}

/** `raw('POST', `/feeds/${id}?a=b`)` → `POST /feeds/x`. */
const rawCall = (args: unknown): string | undefined => {
  const [method, path] = (args as readonly unknown[]).map(textOf)
  return method && path?.startsWith('/') && METHOD.test(method) ? `${method} ${path.replace(/\?.*$/s, '')}` : undefined
}

/**
 * Every `group.name(…)` and `raw('METHOD', '/path')` in a source text, except calls that are expected to fail. Comments and strings are
 * ignored.
 */
export const callsIn = (file: string, text: string): string[] => {
  const { program, errors } = parseSync(file, text)
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`)
  const found: string[] = []
  const visit = (node: unknown): void => {
    if (node === null || typeof node !== 'object') return
    const { type, callee, arguments: args } = node as Node
    if (type === 'CallExpression') {
      if (nameOf(callee) === 'refused') return
      for (const call of [lastTwo(callee), rawCall(args)]) if (call) found.push(call)
    }
    for (const part of Object.values(node)) visit(part)
  }
  visit(program)
  return found
}

/** Calls in the tests below `root` and in their helpers. */
export const testedCalls = (root: string): Set<string> => {
  const files = globSync(['packages/*/src/**/*.test.ts', 'packages/server/{test,test-support}/*.ts'], {
    cwd: root,
    exclude: (name) => name === 'node_modules',
  })
  return new Set(files.flatMap((file) => callsIn(file, readFileSync(join(root, file), 'utf8'))))
}
