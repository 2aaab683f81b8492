import { isLink, isPicture, MENTION } from './dialect.ts'
import { childrenOf, type EditorMark, type EditorNode, textAttribute } from './document.ts'
import { characterReference, destination, escapeLineStart, escapeText, isPunctuation, isSpace, underscoresOf } from './escape.ts'

/** A character or an inline node, with its marks by name. */
interface Atom {
  readonly kind: 'character' | 'code' | 'image' | 'break'
  /** The character, or the Markdown of an inline node. */
  readonly text: string
  readonly marks: ReadonlyMap<string, string>
}

const WRITTEN = new Set(['bold', 'italic', 'strike'])
/** Marks from outermost to innermost. The underscore of emphasis is kept away from mentions, which can end with one. */
const ORDER = ['link', 'italic', 'bold', 'strike']

const quoted = (title: string): string => (title ? ` "${title.replace(/\s+/g, ' ').replace(/["\\&]/g, '\\$&')}"` : '')

/** Marks that Markdown supports, with the value that distinguishes marks of the same type: for a link, what follows its text. */
const marksOf = (marks: readonly EditorMark[] = []): ReadonlyMap<string, string> =>
  new Map(
    marks.flatMap((mark): [string, string][] => {
      if (WRITTEN.has(mark.type)) return [[mark.type, '']]
      const href = textAttribute(mark, 'href')
      return mark.type === 'link' && isLink(href) ? [['link', `](${destination(href)}${quoted(textAttribute(mark, 'title'))})`]] : []
    }),
  )

const isSame = (some: ReadonlyMap<string, string>, others: ReadonlyMap<string, string>): boolean =>
  some === others || (some.size === others.size && [...some].every(([name, value]) => others.get(name) === value))

const shared = (some: ReadonlyMap<string, string>, others: ReadonlyMap<string, string>): ReadonlyMap<string, string> =>
  some === others ? some : new Map([...some].filter(([name, value]) => others.get(name) === value))

const codeSpan = (text: string): string => {
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length))
  const fence = '`'.repeat(longest + 1)
  const inner = /^`|`$|^ .*[^ ].* $/.test(text) ? ` ${text} ` : text
  return `${fence}${inner}${fence}`
}

const imageOf = (node: EditorNode): string => {
  const src = textAttribute(node, 'src')
  const alt = textAttribute(node, 'alt')
    .replace(/\s+/g, ' ')
    .replace(/[!-/:-@[-`{-~]/g, '\\$&')
  return isPicture(src) ? `![${alt}](${destination(src)}${quoted(textAttribute(node, 'title'))})` : ''
}

const CONTROL = /(?![\t\n\r])\p{Cc}/gu
const NO_MARKS: ReadonlyMap<string, string> = new Map()

const atomsOf = (nodes: readonly EditorNode[]): Atom[] => {
  const atoms: Atom[] = []
  for (const node of nodes) {
    const marks = marksOf(node.marks)
    const last = atoms.at(-1)
    if (node.type === 'hardBreak') atoms.push({ kind: 'break', text: '\n', marks })
    else if (node.type === 'image') {
      const text = imageOf(node)
      if (text) atoms.push({ kind: 'image', text, marks })
    } else if (node.marks?.some(({ type }) => type === 'code')) {
      const text = (node.text ?? '').replace(CONTROL, '').replace(/[\r\n]+/g, ' ')
      if (last?.kind === 'code' && isSame(last.marks, marks)) atoms[atoms.length - 1] = { ...last, text: last.text + text }
      else if (text) atoms.push({ kind: 'code', text, marks })
    } else
      for (const text of (node.text ?? '').replace(CONTROL, '').replace(/\r\n?/g, '\n').toWellFormed())
        atoms.push({ kind: text === '\n' ? 'break' : 'character', text, marks })
  }
  return atoms.map((atom) => (atom.kind === 'code' ? { ...atom, text: codeSpan(atom.text) } : atom))
}

const isGap = ({ kind, text }: Atom): boolean => kind === 'break' || (kind === 'character' && isSpace(text))

const isBlank = ({ kind, text }: Atom): boolean => kind === 'character' && /^[ \t]$/.test(text)

/**
 * For each atom: the marks of the nearest non-gap atom in that direction, and whether only whitespace separates it from the edge of its
 * line.
 */
const sideOf = (atoms: readonly Atom[], side: 'before' | 'after'): { readonly marks: Atom['marks']; readonly isEdge: boolean }[] => {
  let marks = NO_MARKS
  let isEdge = true
  const look = (atom: Atom) => {
    const here = { marks, isEdge }
    if (!isGap(atom)) marks = atom.marks
    isEdge = atom.kind === 'break' || (isEdge && isBlank(atom))
    return here
  }
  return side === 'before' ? atoms.map(look) : atoms.toReversed().map(look).reverse()
}

/** Whitespace and breaks get the marks that both neighbors share; those at the edge of a line are dropped. */
const tidied = (atoms: readonly Atom[]): Atom[] => {
  const [before, after] = [sideOf(atoms, 'before'), sideOf(atoms, 'after')]
  return atoms.flatMap((atom, at) => {
    if (!isGap(atom)) return [atom]
    const [left, right] = [before[at], after[at]]
    if (isBlank(atom) && (left?.isEdge || right?.isEdge)) return []
    return [{ ...atom, marks: shared(left?.marks ?? NO_MARKS, right?.marks ?? NO_MARKS) }]
  })
}

/** A piece of a Markdown line; text characters can alternatively be written as a character reference. */
interface Part {
  readonly markdown: string
  readonly character?: string
  readonly delimiter?: 'open' | 'close'
}

/** Emphasis next to strong emphasis uses underscores, because runs of asterisks would be parsed differently. */
const hasBoth = (atoms: readonly Atom[]): boolean =>
  atoms.some(({ marks }) => marks.has('bold')) && atoms.some(({ marks }) => marks.has('italic'))

/** Groups adjacent characters with the same marks; other atoms form their own group. */
const runsOf = (atoms: readonly Atom[]): readonly (readonly [Atom, ...Atom[]])[] => {
  const runs: [Atom, ...Atom[]][] = []
  for (const atom of atoms) {
    const last = runs.at(-1)
    if (last?.[0].kind === 'character' && atom.kind === 'character' && isSame(last[0].marks, atom.marks)) last.push(atom)
    else runs.push([atom])
  }
  return runs
}

const textOf = (run: readonly Atom[]): string => run.map(({ kind, text }) => (kind === 'character' ? text : ' ')).join('')

/** Whether underscores at the edges of mentions can stay unescaped, because no pair of them can form emphasis. */
const underscoresAreLone = (runs: readonly (readonly Atom[])[]): boolean => {
  const names = runs.flatMap((run) => textOf(run).match(MENTION) ?? []).map(underscoresOf)
  return !(names.some(({ opens }) => opens) && names.some(({ closes }) => closes))
}

const textParts = (atoms: readonly Atom[]): Part[] => {
  const runs = runsOf(atoms)
  const loneUnderscores = !hasBoth(atoms) && underscoresAreLone(runs)
  const isEdge = (run: readonly Atom[] | undefined) => run === undefined || run[0]?.kind === 'break'
  return runs.flatMap((run, n): Part[] => {
    const [{ kind, text, marks }] = run
    if (kind === 'break') return [{ markdown: '\\\n' }]
    if (kind !== 'character') return [{ markdown: text }]
    const out = escapeText(textOf(run), {
      beginsLine: isEdge(runs[n - 1]) && marks.size === 0,
      // A break is written as a trailing backslash.
      endsLine: runs[n + 1] === undefined && marks.size === 0,
      inLink: marks.has('link'),
      loneUnderscores,
    })
    let at = 0
    return run.map(({ text: character }) => {
      at += character.length
      return { markdown: out.slice(at - character.length, at).join(''), character }
    })
  })
}

const nameOf = (name: string, both: boolean): string => (name === 'bold' ? '**' : name === 'strike' ? '~~' : both ? '_' : '*')

/** Wraps the content in its mark delimiters; longer-running marks are outside. */
const markedParts = (atoms: readonly Atom[]): Part[] => {
  const both = hasBoth(atoms)
  const texts = textParts(atoms)
  const parts: Part[] = []
  const open: [name: string, value: string][] = []
  const close = (least: number) => {
    while (open.length > least) {
      const [name, value] = open.pop() as [string, string]
      parts.push(name === 'link' ? { markdown: value } : { markdown: nameOf(name, both), delimiter: 'close' })
    }
  }
  const lasts = (from: number, name: string, value: string): number => {
    let to = from
    while (atoms[to]?.marks.get(name) === value) to += 1
    return to
  }
  let before: ReadonlyMap<string, string> | null = null
  for (const [at, atom] of atoms.entries()) {
    const { marks } = atom
    if (marks === before) {
      parts.push(texts[at] as Part)
      continue
    }
    // Nothing can open next to whitespace, so it may have to open at the next atom.
    before = isGap(atom) ? null : marks
    const ended = open.findIndex(([name, value]) => marks.get(name) !== value)
    if (ended >= 0) close(ended)
    // Nothing can open before whitespace.
    const opened = isGap(atom) ? [] : [...marks].filter(([name]) => !open.some(([other]) => other === name))
    opened.sort(([a, x], [b, y]) => lasts(at, b, y) - lasts(at, a, x) || ORDER.indexOf(a) - ORDER.indexOf(b))
    for (const [name, value] of opened) {
      open.push([name, value])
      parts.push(name === 'link' ? { markdown: '[' } : { markdown: nameOf(name, both), delimiter: 'open' })
    }
    parts.push(texts[at] as Part)
  }
  close(0)
  return parts
}

const lastOf = (text: string): string => [...text.slice(-2)].at(-1) ?? ''
const firstOf = (text: string): string => [...text.slice(0, 2)][0] ?? ''

const endsInName = (parts: readonly Part[]): boolean => /@[A-Za-z0-9_-]{0,30}$/.test(parts.map((part) => part.markdown).join(''))

/** Delimiters only open and close next to whitespace or punctuation, so a letter on the other side is written as a character reference. */
const flanked = (parts: readonly Part[]): Part[] => {
  const result = [...parts]
  const delimiters = parts.flatMap(({ delimiter }, at) => (delimiter ? [at] : []))
  const neighbour = (at: number, step: 1 | -1) => {
    const { markdown = '' } = result[at + step] ?? {}
    return (step < 0 ? lastOf(markdown) : firstOf(markdown)) || ' '
  }
  for (let changed = true; changed; ) {
    changed = false
    for (const at of delimiters) {
      const { delimiter, markdown } = result[at] as Part
      const outside = delimiter === 'open' ? -1 : 1
      const isBorder = (character: string) => isSpace(character) || isPunctuation(character)
      const isFine = (markdown !== '_' && !isPunctuation(neighbour(at, outside === 1 ? -1 : 1))) || isBorder(neighbour(at, outside))
      // A mention would absorb the underscore that follows it.
      const isAfterName = markdown === '_' && endsInName(result.slice(Math.max(0, at - 31), at))
      const step = isAfterName ? -1 : outside
      const { character } = result[at + step] ?? {}
      if ((isFine && !isAfterName) || character === undefined) continue
      result[at + step] = { markdown: characterReference(character) }
      changed = true
    }
  }
  return result
}

/** The content of a paragraph or heading as Markdown; '' if it renders nothing. */
export const inlineMarkdown = (node: EditorNode, isHeading = false): string => {
  const all = atomsOf(childrenOf(node))
  let atoms = tidied(isHeading ? all.map((atom) => (atom.kind === 'break' ? { ...atom, kind: 'character', text: ' ' } : atom)) : all)
  while (atoms.at(-1)?.kind === 'break') atoms = tidied(atoms.slice(0, -1))
  const markdown = flanked(markedParts(atoms))
    .map((part) => part.markdown)
    .join('')
  if (isHeading) return markdown.replace(/(^|\s)(#+)$/, '$1\\$2')
  return markdown.split('\n').map(escapeLineStart).join('\n')
}
