import { expect, test } from 'vitest'
import { createRandom } from '#test/random.ts'
import { report, SOAK } from '#test/scale.ts'
import { EQUIVALENT, type Equivalent } from './equivalent.ts'
import { mutantsOf, mutated } from './mutants.ts'
import { type Candidate, candidates, copyTree, noticedBy, passes, withMutant } from './run.ts'
import { TARGETS } from './targets.ts'

const SEED = Number(process.env['LYCEUM_TEST_SEED'] ?? Date.now() % 1_000_000)
/** Minimum share of mutants that the tests must detect. */
const WANTED = 0.95
const MINUTES_EACH = 15

const isOf =
  ({ file, at = '' }: Equivalent, what: string) =>
  ({ target, mutant, source }: Candidate): boolean =>
    file === target.file && what === mutant.what && source.startsWith(at)
const isEquivalent = (one: Candidate): boolean => EQUIVALENT.some((known) => known.whats.some((what) => isOf(known, what)(one)))

const SOME = 'list.some((one) => one === who.name && who.age > 17)'
const SAMPLE = `const may = (who: Who, list: readonly string[] = ['a', 'b']) => {
  if (!who.active) throw new Error('no')
  check(who)
  return list.some((one) => one === who.name && who.age > 17) ? true : who.sql(\`select 1 where a = 1 and b\`)
}`

test('mutants', () => {
  const found = mutantsOf('sample.ts', SAMPLE)
  expect(found.map(({ line, what }) => `${line} ${what}`)).toEqual([
    "1 without 'a'",
    "1 without 'b'",
    '2 always: !who.active',
    '2 never: !who.active',
    '2 not: !who.active',
    '3 without check(who)',
    `4 negated: ${SOME}`,
    `4 always: ${SOME}`,
    `4 never: ${SOME}`,
    '4 every for some',
    '4 without one === who.name',
    '4 without who.age > 17',
    '4 !== for === between one and who.name',
    '4 || for && between one === who.name and who.age > 17',
    '4 >= for > between who.age and 17',
    '4 false for true',
    '4 <> for = before 1 and b',
    '4 or for and before b',
  ])
  const [first] = found
  expect(first && mutated(SAMPLE, first).split('\n')[0]).toBe("const may = (who: Who, list: readonly string[] = ['b']) => {")
})

test('every target file has mutants, and every listed equivalent mutant still exists', () => {
  const all = candidates()
  const files = new Set(all.map(({ target }) => target.file))
  expect(TARGETS.map(({ file }) => file).filter((file) => !files.has(file))).toEqual([])
  const gone = EQUIVALENT.flatMap((known) =>
    known.whats.filter((what) => !all.some(isOf(known, what))).map((what) => `${known.file}: ${what}`),
  )
  expect(gone).toEqual([])
})

/** A fast test file, and a mutant that it must detect. */
const QUICK = 'packages/server/src/modules/feeds/access.test.ts'
const obvious = ({ target, mutant, source }: Candidate) =>
  target.file.endsWith('/feeds/access.ts') && source.startsWith('if (!abilities.view)') && mutant.what.startsWith('never: ')

if (SOAK > 1) {
  test('the tests pass in a copy of the tree, and fail for a broken copy', { timeout: 10 * 60_000 }, async () => {
    const tree = copyTree()
    try {
      expect(await passes(tree, [QUICK])).toBe(true)
      const candidate = candidates(tree.dir).find(obvious) as Candidate
      expect(await withMutant(tree, candidate, () => passes(tree, [QUICK]))).toBe(false)
      expect(await passes(tree, [QUICK])).toBe(true)
    } finally {
      tree.remove()
    }
  })

  test('changes of the authorization code are detected', { timeout: SOAK * MINUTES_EACH * 60_000 }, async () => {
    process.stdout.write(`  seed ${SEED}\n`)
    const random = createRandom(SEED)
    const tree = copyTree()
    const all = candidates(tree.dir)
    const left = all.filter((one) => !isEquivalent(one))
    const survivors: string[] = []
    let tried = 0
    try {
      for (; tried < SOAK && left.length > 0; tried += 1) {
        const [candidate] = left.splice(random.int(left.length), 1) as [Candidate]
        if (await noticedBy(tree, candidate)) continue
        survivors.push(`${candidate.target.file}:${candidate.mutant.line} ${candidate.mutant.what}: ${candidate.source}`)
        process.stdout.write(`  survived: ${survivors.at(-1)}\n`)
      }
    } finally {
      tree.remove()
    }
    const rate = 1 - survivors.length / tried
    report({
      mutants: all.length,
      equivalent: all.filter(isEquivalent).length,
      tried,
      survived: survivors.length,
      killed: `${(rate * 100).toFixed(1)} %`,
    })
    expect(rate, survivors.join('\n')).toBeGreaterThanOrEqual(WANTED)
  })
}
