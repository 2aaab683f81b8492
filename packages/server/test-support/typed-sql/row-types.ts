import { globSync } from 'node:fs'
import { resolve } from 'node:path'
import { type CallExpression, isCallExpression, isIdentifier, type Node, type SourceFile } from 'typescript/unstable/ast'
import { API, type Checker, SymbolFlags } from 'typescript/unstable/sync'
import { HELPERS } from './record-calls.ts'

const SOURCE = resolve(import.meta.dirname, '../../src')
/** Creators whose first type argument is the type of a row. */
const TYPED_CREATORS = ['statement', 'statementOne', 'statementIn', 'batchStatement', 'runText', 'selectRows', 'selectPage']
const CREATORS = new Set([
  ...TYPED_CREATORS,
  'statementValues',
  'statementExists',
  'statementRowCount',
  'statementNumber',
  'insertReturningId',
])

export interface RowField {
  readonly name: string
  readonly isOptional: boolean
  /** The type as TypeScript prints it. */
  readonly type: string
}

/** A call that creates or runs a statement. */
export interface StatementCall {
  /** `path:line:column` below the source folder, as stack traces have it. */
  readonly site: string
  /** Fields of the declared row type; null: the caller does not read rows. */
  readonly row: readonly RowField[] | null
}

const positions = (text: string) => {
  const starts = [0]
  for (let i = text.indexOf('\n'); i >= 0; i = text.indexOf('\n', i + 1)) starts.push(i + 1)
  return (offset: number): string => {
    const line = starts.findLastIndex((start) => start <= offset)
    return `${line + 1}:${offset - (starts[line] ?? 0) + 1}`
  }
}

const callsIn = (file: SourceFile): CallExpression[] => {
  const found: CallExpression[] = []
  const visit = (node: Node): void => {
    if (isCallExpression(node) && isIdentifier(node.expression) && CREATORS.has(node.expression.text)) found.push(node)
    node.forEachChild(visit)
  }
  file.forEachChild(visit)
  return found
}

const fieldsOf = (checker: Checker, call: CallExpression): RowField[] | null => {
  const creator = isIdentifier(call.expression) ? call.expression.text : ''
  if (creator === 'statementNumber') return [{ name: 'n', isOptional: false, type: 'number' }]
  const [node] = TYPED_CREATORS.includes(creator) ? (call.typeArguments ?? []) : []
  const type = node && checker.getTypeFromTypeNode(node)
  if (!type) return null
  return checker.getPropertiesOfType(type).map((symbol) => {
    const declared = checker.getTypeOfSymbol(symbol)
    return {
      name: symbol.name,
      isOptional: (symbol.flags & SymbolFlags.Optional) !== 0,
      type: declared ? checker.typeToString(declared) : 'unknown',
    }
  })
}

/** Every call of the server that creates or runs a statement, with its row type. */
export const statementCalls = (): StatementCall[] => {
  const api = new API({ cwd: import.meta.dirname })
  try {
    const config = resolve(import.meta.dirname, 'tsconfig.json')
    const project = api.updateSnapshot({ openProjects: [config] }).getProject(config)
    if (!project) throw new Error(`TypeScript does not open ${config}`)
    const files = globSync('**/*.ts', { cwd: SOURCE }).filter((file) => !file.endsWith('.test.ts') && !HELPERS.includes(file))
    return files.flatMap((name) => {
      const file = project.program.getSourceFile(resolve(SOURCE, name))
      if (!file) throw new Error(`TypeScript does not know ${name}`)
      const position = positions(file.text)
      return callsIn(file).map((call) => ({
        site: `${name}:${position(call.expression.getStart(file))}`,
        row: fieldsOf(project.checker, call),
      }))
    })
  } finally {
    api.close()
  }
}
