import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { slowdown } from '#test/cpu-time.ts'
import { report, SOAK } from '#test/scale.ts'
import { BOUNDED, BY_HAND } from './bounded.ts'
import { type Expression, slowOf, worstOf } from './measure.ts'
import { built, patterns, written } from './sources.ts'

const TIMEOUT_MS = 120_000 + SOAK * 60_000
/** Maximum length of a tested text in characters. */
const LONGEST = SOAK > 1 ? 100_000 : 20_000
/** Texts per expression. */
const TEXTS = SOAK > 1 ? 300 : 25
const MOST_MS = 10

const onceEach = (all: readonly Expression[]): Expression[] => [...new Map(all.map((one) => [`${one.flags} ${one.source}`, one])).values()]

test(
  'no regular expression takes longer for a long text than the text is longer',
  () => {
    const sources = written()
    const folder = mkdtempSync(join(tmpdir(), 'lyceum-redos-'))
    const made = built(folder)
    rmSync(folder, { recursive: true })
    const fields = patterns()
    // Each place that builds expressions has built one by now, or is listed by hand.
    const known = new Set([...made, ...BY_HAND].map(({ where }) => where.replace(/:\d+$/, '')))
    expect(sources.built.filter((place) => !known.has(place.replace(/:\d+$/, '')))).toEqual([])
    expect(sources.literals.length).toBeGreaterThan(150)
    expect(fields.length).toBeGreaterThan(10)

    const all = onceEach([...sources.literals, ...made, ...BY_HAND, ...fields])
    const bounds = new Map(BOUNDED.map((one) => [one.source, one]))
    const found = all.flatMap((expression) => {
      const bound = bounds.get(expression.source)
      if (bound) {
        const ms = worstOf(expression, bound.longest)
        return ms > MOST_MS && ms > MOST_MS * slowdown()
          ? [`${expression.where} /${expression.source}/: ${ms.toFixed(1)} ms for ${bound.longest} characters`]
          : []
      }
      const slow = slowOf(expression, LONGEST, TEXTS)
      if (!slow) return []
      const { attack, length, ms, growth } = slow
      return [
        `${expression.where} /${expression.source}/${expression.flags}: ${ms.toFixed(0)} ms for ${length} characters, ${growth.toFixed(1)} times those of half, with ${JSON.stringify(attack)}`,
      ]
    })
    report({
      expressions: all.length,
      written: sources.literals.length,
      built: made.length,
      'patterns of fields': fields.length,
      bounded: BOUNDED.length,
      slow: found.length,
    })
    expect(found).toEqual([])
    const sourcesOfAll = new Set(all.map(({ source }) => source))
    expect(BOUNDED.filter(({ source }) => !sourcesOfAll.has(source))).toEqual([])
  },
  TIMEOUT_MS,
)

/** Each takes seconds to check. */
const SLOW: readonly (readonly [name: string, source: string])[] = [
  ['a loop in a loop', '^(a+)+$'],
  ['a choice of what begins the same', '^(a|aa)+$'],
  ['a choice of classes that share characters', '^([a-z]|\\w)*!$'],
  ['words with blanks that may be left out', '^(\\w+\\s?)*$'],
  ['three loops in a row', '^\\d*[0-9a]*\\d*$'],
  ['blanks before an end', '\\s+$'],
  ['what never closes', '<[^>]*>'],
  ['an address of mail', '^([a-zA-Z0-9])(([\\-.]|[_]+)?([a-zA-Z0-9]+))*(@){1}[a-z0-9]+[.]{1}$'],
  ['a comment that never ends', '/\\*[\\s\\S]*?\\*/'],
]

describe('controls: the check detects', () => {
  test.each(SOAK > 1 ? SLOW : SLOW.slice(0, 1))(
    '%s',
    (_name, source) => {
      expect(slowOf({ source, flags: '' }, LONGEST, TEXTS)?.growth).toBeGreaterThan(2.9)
    },
    TIMEOUT_MS,
  )

  test.each([
    '^[a-z0-9-]{1,100}$',
    '^\\d{4}-\\d{2}-\\d{2}$',
    '^(?:a|b)*$',
    '^(#([0-9A-Fa-f]{3}|[0-9A-Fa-f]{6}))?$',
    '\\S',
    '[^\\x20-\\x7e]',
  ])('not /%s/', (source) => {
    expect(slowOf({ source, flags: 'u' }, LONGEST, TEXTS)).toBeNull()
  })
})
