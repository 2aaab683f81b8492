import type { Part } from './pattern.ts'

/** A text that makes a regular expression backtrack: a prefix, a repeated part, and a suffix that does not match. */
export interface Attack {
  readonly prefix: string
  readonly pump: string
  readonly suffix: string
}

type Loop = Extract<Part, { kind: 'loop' }>

const MOST_WORDS = 6
/** Loops with a lower limit cost no more than this multiple of the text. */
const LONG_LOOP = 20
const SUFFIXES = ['', '\u0000', '!', '\n', '>', '"'] as const

const product = (all: readonly string[], next: readonly string[]): string[] =>
  all.flatMap((start) => next.map((end) => start + end)).slice(0, MOST_WORDS)

/** Some texts that a part matches, the characters that most loops match first. */
const wordsOf = (part: Part, rank: ReadonlyMap<string, number>): string[] => {
  switch (part.kind) {
    case 'nothing':
      return ['']
    case 'character':
      return [...part.takes].sort((a, b) => (rank.get(b) ?? 0) - (rank.get(a) ?? 0)).slice(0, MOST_WORDS)
    case 'sequence':
      return part.parts.reduce<string[]>((all, one) => product(all, wordsOf(one, rank).slice(0, 3)), [''])
    case 'choice':
      return [...new Set(part.options.flatMap((option) => wordsOf(option, rank).slice(0, 2)))].slice(0, MOST_WORDS * 2)
    case 'loop': {
      const once = wordsOf(part.body, rank)
      return part.least === 0 ? [...once.slice(0, MOST_WORDS - 1), ''] : once.map((word) => word.repeat(Math.min(part.least, LONG_LOOP)))
    }
  }
}

/** The shortest text that a part matches. */
const shortest = (part: Part, rank: ReadonlyMap<string, number>): string => {
  if (part.kind === 'loop') return part.least === 0 ? '' : shortest(part.body, rank).repeat(part.least)
  if (part.kind === 'sequence') return part.parts.map((one) => shortest(one, rank)).join('')
  if (part.kind === 'choice') return part.options.map((one) => shortest(one, rank)).sort((a, b) => a.length - b.length)[0] ?? ''
  return wordsOf(part, rank)[0] ?? ''
}

interface Found {
  readonly loop: Loop
  readonly prefix: string
}

/** Every long loop, with the shortest text that leads to it. */
const loopsIn = (part: Part, rank: ReadonlyMap<string, number>, prefix = ''): Found[] => {
  if (part.kind === 'choice') return part.options.flatMap((option) => loopsIn(option, rank, prefix))
  if (part.kind === 'loop') return [...(part.most >= LONG_LOOP ? [{ loop: part, prefix }] : []), ...loopsIn(part.body, rank, prefix)]
  if (part.kind !== 'sequence') return []
  let before = prefix
  return part.parts.flatMap((one) => {
    const found = loopsIn(one, rank, before)
    before += shortest(one, rank)
    return found
  })
}

const charactersIn = (part: Part): string[] => {
  if (part.kind === 'character') return [...part.takes]
  if (part.kind === 'loop') return charactersIn(part.body)
  if (part.kind === 'sequence') return part.parts.flatMap(charactersIn)
  return part.kind === 'choice' ? part.options.flatMap(charactersIn) : []
}

/** Texts that would be slow for a vulnerable expression; not many more than `most`. */
export const attacksOn = (part: Part, most: number): Attack[] => {
  const rank = new Map<string, number>()
  for (const { loop } of loopsIn(part, rank)) for (const one of new Set(charactersIn(loop.body))) rank.set(one, (rank.get(one) ?? 0) + 1)
  const loops = loopsIn(part, rank)
  const prefixes = [...new Set(['', ...loops.map(({ prefix }) => prefix)])].slice(0, 5)
  const words = loops.flatMap(({ loop }) => wordsOf(loop.body, rank).slice(0, 4)).filter((word) => word !== '')
  // A search that restarts at each occurrence of the prefix repeats the cost of what follows.
  const again = loops.flatMap(({ loop, prefix }) => (prefix === '' ? [] : [prefix, prefix + (wordsOf(loop.body, rank)[0] ?? '')]))
  const pairs = words.slice(0, 3).flatMap((a) => words.slice(0, 3).map((b) => (a === b ? '' : a + b)))
  const pumps = [...new Set([...words, ...again, ...pairs])].filter((pump) => pump !== '').slice(0, 14)
  const all = pumps.flatMap((pump) => prefixes.flatMap((prefix) => SUFFIXES.map((suffix) => ({ prefix, pump, suffix }))))
  const step = Math.max(1, Math.ceil(all.length / most))
  return all.filter((_, i) => i % step === 0)
}

export const textOf = ({ prefix, pump, suffix }: Attack, length: number): string =>
  prefix + pump.repeat(Math.max(1, Math.ceil(length / pump.length))) + suffix
