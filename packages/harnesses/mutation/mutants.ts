import { parseSync } from 'vite'

/** One small change of a source text: replaces the text from `start` to `end` by `by`. */
export interface Mutant {
  readonly line: number
  readonly what: string
  readonly start: number
  readonly end: number
  readonly by: string
}

type Node = { readonly type: string; readonly start: number; readonly end: number; readonly [key: string]: unknown }

const OTHER: Readonly<Record<string, string>> = {
  '===': '!==',
  '!==': '===',
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '&&': '||',
  '||': '&&',
}
const METHODS: Readonly<Record<string, string>> = { some: 'every', every: 'some' }
/** SQL operators that affect visibility, with their replacements. */
const IN_SQL: readonly (readonly [RegExp, string])[] = [
  [/ and /g, ' or '],
  [/ or /g, ' and '],
  [/ = /g, ' <> '],
  [/ <> /g, ' = '],
  [/\bnot exists\b/g, 'exists'],
]
const SQL = /\b(select|where|exists|status|privacy|role|user_id|is null)\b/

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value

const childrenOf = (node: Node): Node[] => Object.values(node).flatMap((value) => (Array.isArray(value) ? value : [value]).filter(isNode))

/** The top-level declarations with these names. */
const within = (program: Node, names: readonly string[]): Node[] => {
  const nameOf = (node: Node): string | undefined => {
    const inner = node['declaration']
    if (isNode(inner)) return nameOf(inner)
    const [declarator] = (node['declarations'] ?? []) as readonly { id: { name?: string } }[]
    return (node['id'] as { name?: string } | undefined)?.name ?? declarator?.id.name
  }
  const body = program['body'] as readonly Node[]
  const chosen = body.filter((node) => names.includes(nameOf(node) ?? ''))
  if (chosen.length < names.length) throw new Error(`not all of these are there: ${names.join(', ')}`)
  return chosen
}

/** All mutants of a source text; if `only` is given, only those in the top-level declarations with these names. */
export const mutantsOf = (file: string, text: string, only?: readonly string[]): Mutant[] => {
  const { program, errors } = parseSync(file, text)
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`)
  const found = new Map<string, Mutant>()
  const textOf = ({ start, end }: Pick<Node, 'start' | 'end'>) => text.slice(start, end)
  const lineOf = (at: number) => text.slice(0, at).split('\n').length

  /** Start offsets of statements that are the whole body of an `if`: removing them is equivalent to a condition that is never true. */
  const alone = new Set<number>()

  /** The text of a node on one line, for the description of a mutant. */
  const brief = (node: Node) => textOf(node).replace(/\s+/g, ' ')

  const add = (start: number, end: number, by: string, what: string) => {
    const key = `${start} ${end} ${by}`
    if (text.slice(start, end) !== by && !found.has(key)) found.set(key, { line: lineOf(start), what, start, end, by })
  }

  /** Negates a condition, or replaces it by true or false. */
  const condition = (test: Node) => {
    // The mutants of a single operator already include its negation.
    const isPlain = test['operator'] === '!' || test['operator'] === '===' || test['operator'] === '!=='
    if (!isPlain) add(test.start, test.end, `!(${textOf(test)})`, `negated: ${brief(test)}`)
    add(test.start, test.end, 'true', `always: ${brief(test)}`)
    add(test.start, test.end, 'false', `never: ${brief(test)}`)
  }
  /** Replaces the operator between the two operands. */
  const operator = ({ operator: sign, left, right }: { operator: string; left: Node; right: Node }) => {
    const other = OTHER[sign]
    if (!other) return
    const at = text.indexOf(sign, left.end)
    if (at >= 0 && at < right.start) add(at, at + sign.length, other, `${other} for ${sign} between ${brief(left)} and ${brief(right)}`)
  }
  const element = (list: readonly Node[], i: number) => {
    const [one, next, last] = [list[i] as Node, list[i + 1], list[i - 1]]
    const [start, end] = next ? [one.start, next.start] : [last ? last.end : one.start, one.end]
    add(start, end, '', `without ${brief(one)}`)
  }

  const visits: Readonly<Record<string, (node: Node) => void>> = {
    IfStatement: (node) => {
      condition(node['test'] as Node)
      alone.add((node['consequent'] as Node).start)
    },
    ConditionalExpression: (node) => condition(node['test'] as Node),
    LogicalExpression: (node) => {
      const { left, right, operator: sign } = node as unknown as { left: Node; right: Node; operator: string }
      operator({ operator: sign, left, right })
      if (sign === '??') return
      add(left.start, right.end, textOf(right), `without ${brief(left)}`)
      add(left.start, right.end, textOf(left), `without ${brief(right)}`)
    },
    BinaryExpression: (node) => operator(node as never),
    UnaryExpression: (node) => {
      if (node['operator'] === '!') add(node.start, node.end, textOf(node['argument'] as Node), `not: ${brief(node)}`)
    },
    Literal: (node) => {
      const { value } = node
      if (typeof value !== 'boolean') return
      const [field = ''] = /\w+: $/.exec(text.slice(0, node.start)) ?? []
      add(node.start, node.end, String(!value), `${field}${!value} for ${value}`)
    },
    MemberExpression: (node) => {
      const { start, end, name } = node['property'] as Node & { name?: string }
      const other = METHODS[name ?? '']
      if (other) add(start, end, other, `${other} for ${name}`)
    },
    ArrayExpression: (node) => {
      const elements = node['elements'] as readonly Node[]
      for (const [i, one] of elements.entries()) if (one?.type === 'Literal') element(elements, i)
    },
    ExpressionStatement: (node) => {
      // Row locks prevent races, which no sequential test detects.
      if (!/\block\w*\(|\bhold\w*\(/i.test(textOf(node))) add(node.start, node.end, ';', `without ${brief(node)}`)
    },
    ThrowStatement: (node) => {
      if (!alone.has(node.start)) add(node.start, node.end, ';', 'without the refusal')
    },
    TemplateElement: (node) => {
      const sql = textOf(node)
      if (!SQL.test(sql)) return
      for (const [word, by] of IN_SQL)
        for (const { index, 0: match } of sql.matchAll(word)) {
          const [start, end] = [node.start + index, node.start + index + match.length]
          const next = text.slice(end, node.end - 1).trimStart()
          add(start, end, by, `${by.trim()} for${match}before ${next.slice(0, 24)}`)
        }
    },
  }

  const visit = (node: Node): void => {
    // Types have no effect at runtime.
    if (node.type.startsWith('TS') && node.type !== 'TSAsExpression' && node.type !== 'TSNonNullExpression') return
    if (node.type === 'ImportDeclaration') return
    visits[node.type]?.(node)
    for (const child of childrenOf(node)) visit(child)
  }
  const root = program as unknown as Node
  for (const node of only ? within(root, only) : [root]) visit(node)
  return [...found.values()].sort((a, b) => a.start - b.start)
}

/** Applies a change to a source text. */
export const mutated = (text: string, { start, end, by }: Mutant): string => text.slice(0, start) + by + text.slice(end)
