import { cpuTimeOf } from '#test/cpu-time.ts'
import { type Attack, attacksOn, textOf } from './attacks.ts'
import { parsePattern } from './pattern.ts'

export interface Expression {
  readonly source: string
  readonly flags: string
  /** File and line. */
  readonly where: string
}

export interface Slow {
  readonly attack: Attack
  /** Characters of the text, and the duration. */
  readonly length: number
  readonly ms: number
  /** The duration relative to a text of half the length. */
  readonly growth: number
}

const STEPS = [6, 10, 14, 18, 22, 26, 30, 36, 44, 60, 100, 200, 400, 1000, 2000, 4000, 8000]
const LONG_MS = 20
/** Twice the length may take twice as long. */
const LINEAR = 2
const TOLERANCE = 1.5

/** Runs the expression as it is used: global expressions find all matches. */
const timeOf = (expression: RegExp, text: string): number =>
  cpuTimeOf(() => {
    if (expression.global) text.replace(expression, '')
    else expression.exec(text)
  })

const best = (expression: RegExp, text: string, times: number) => Math.min(...Array.from({ length: times }, () => timeOf(expression, text)))

const tried = (expression: RegExp, attack: Attack, longest: number): Slow | null => {
  for (const length of [...STEPS, longest].filter((step) => step <= longest)) {
    const text = textOf(attack, length)
    if (timeOf(expression, text) < LONG_MS) continue
    const ms = best(expression, text, 2)
    if (ms < LONG_MS) continue
    const half = textOf(attack, Math.ceil(length / 2))
    if (ms <= LINEAR * TOLERANCE * best(expression, half, 3)) continue
    // Measured again, since other work on the machine may have disturbed either.
    const growth = best(expression, text, 5) / best(expression, half, 5)
    if (growth > LINEAR * TOLERANCE) return { attack, length: text.length, ms, growth }
  }
  return null
}

/** The first of this many texts, up to this length, for which an expression takes too long, or null. */
export const slowOf = ({ source, flags }: Pick<Expression, 'source' | 'flags'>, longest: number, texts: number): Slow | null => {
  const expression = new RegExp(source, flags)
  for (const attack of attacksOn(parsePattern(source, flags), texts)) {
    expression.lastIndex = 0
    const slow = tried(expression, attack, longest)
    if (slow) return slow
  }
  return null
}

/** The longest duration over all texts of that length. */
export const worstOf = ({ source, flags }: Pick<Expression, 'source' | 'flags'>, length: number): number => {
  const expression = new RegExp(source, flags)
  return Math.max(0, ...attacksOn(parsePattern(source, flags), 100).map((attack) => best(expression, textOf(attack, length), 2)))
}
