import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Question, type QuestionInput, readQuestions } from './definition.ts'
import { parseAnswers } from './parse-answers.ts'
import { expiryOf, gradeAnswers, inOrder, isLate, shuffled, submitBlocker } from './scoring.ts'

// ---- an oracle that does not read keys: each answer is generated with its expected result ---------------------

/** A question with an answer and its expected result: true, false, or null for manual grading. */
interface Posed {
  readonly input: QuestionInput
  readonly sent: unknown
  readonly worth: boolean | null
  readonly isGiven: boolean
}

const points = fc.integer({ min: 0, max: 7 })
const words = ['Zürich', 'straße', 'ΟΔΟΣ', 'paris', 'x y', '42', 'naïve', '日本', 'true', 'constructor']
const spaced = (text: string) => fc.constantFrom(text, ` ${text}`, `${text}\t`, `\n ${text}  `)

const choice = fc
  .record({ n: fc.integer({ min: 2, max: 6 }), at: fc.nat(), pick: fc.nat(), byText: fc.boolean(), listed: fc.boolean(), points })
  .chain(({ n, at, pick, byText, listed, points: worthPoints }) => {
    const right = at % n
    const picked = pick % n
    const options = Array.from({ length: n }, (_, i) => ({ id: `o-${i}`, text: `Option ${i}`, is_correct: i === right }))
    const input: QuestionInput = { type: 'multiple_choice', question: 'Q', points: worthPoints, options }
    return spaced(byText ? `Option ${picked}` : `o-${picked}`).map(
      (text): Posed => ({ input, sent: listed ? [text] : text, worth: picked === right, isGiven: true }),
    )
  })

const select = fc
  .record({
    rights: fc.array(fc.boolean(), { minLength: 2, maxLength: 6 }),
    flips: fc.nat(63),
    byText: fc.boolean(),
    twice: fc.boolean(),
    points,
  })
  .filter(({ rights }) => rights.includes(true))
  .map(({ rights, flips, byText, twice, points: worthPoints }): Posed => {
    const options = rights.map((is_correct, i) => ({
      id: `s${i}`,
      text: `Text ${i}`,
      is_correct: is_correct ? (1 as const) : (0 as const),
    }))
    const picked = rights.flatMap((right, i) => (right !== Boolean((flips >> i) & 1) ? [byText ? `Text ${i}` : `s${i}`] : []))
    const flipped = rights.some((_, i) => (flips >> i) & 1)
    const sent = [...picked.toReversed(), ...(twice ? picked : [])]
    return {
      input: { type: 'multiple_select', question: 'Q', points: worthPoints, options },
      sent,
      worth: !flipped,
      isGiven: picked.length > 0,
    }
  })

const truth = fc
  .record({ key: fc.boolean(), said: fc.boolean(), form: fc.nat(4), written: fc.nat(2), points })
  .map(({ key, said, form, written, points: worthPoints }): Posed => {
    const forms = [said, String(said), String(said).toUpperCase(), said ? ' True ' : ' False ', [String(said)]]
    const options = [
      { id: 'true', text: 'True', is_correct: key },
      { id: 'false', text: 'False', is_correct: !key },
    ]
    const definitions: Partial<QuestionInput>[] = [{ options }, { options: options.toReversed() }, { correct_answer: key }]
    const input = { type: 'true_false', question: 'Q', points: worthPoints, ...definitions[written] } as QuestionInput
    return { input, sent: forms[form], worth: key === said, isGiven: true }
  })

const text = fc
  .record({ key: fc.option(fc.nat(words.length - 1)), said: fc.nat(words.length - 1), shout: fc.boolean(), points })
  .chain(({ key, said, shout, points: worthPoints }) => {
    const word = words[said] as string
    const input: QuestionInput = {
      type: 'short_answer',
      question: 'Q',
      points: worthPoints,
      ...(key !== null && { correct_answer: ` ${words[key]} ` }),
    }
    return spaced((shout ? word.toUpperCase() : word).normalize(shout ? 'NFD' : 'NFC')).map(
      (sent): Posed => ({ input, sent, worth: key === null ? null : key === said, isGiven: true }),
    )
  })

const unanswered = (posed: Posed): fc.Arbitrary<Posed> =>
  fc.constantFrom<unknown>(undefined, null, '', '  ', []).map((sent) => ({ ...posed, sent, worth: false, isGiven: false }))
const posed = fc.oneof(choice, select, truth, text)
const any = fc.oneof({ weight: 6, arbitrary: posed }, { weight: 1, arbitrary: posed.chain(unanswered) })

/** Rounded half up, in integers. */
const percent = (earned: number, possible: number) => {
  for (let p = 100; p > 0; p--) if (200 * earned >= (2 * p - 1) * possible) return p
  return 0
}

test('10,000 generated quizzes get the expected grades', () => {
  let seen = 0
  fc.assert(
    fc.property(fc.array(any, { minLength: 1, maxLength: 9 }), fc.nat(), (list, turn) => {
      const questions = readQuestions(list.map(({ input }) => input))
      const sent = Object.fromEntries(list.map((one, i) => [questions[i]?.id ?? '', one.sent]))
      const { answers, missing, malformed } = parseAnswers(questions, { ...sent, nobody: 'asked', toString: 'this' })
      expect(malformed).toEqual([])
      expect(missing).toEqual(list.flatMap((one, i) => (one.isGiven ? [] : [questions[i]?.id])))
      // The question order of an attempt does not matter.
      const asked = [...questions.slice(turn % questions.length), ...questions.slice(0, turn % questions.length)]
      const outcome = gradeAnswers(asked, answers)
      const worth = (one: Posed) => (one.isGiven ? one.worth : false)
      const earned = list.reduce((sum, one) => (worth(one) === true ? sum + (one.input.points ?? 1) : sum), 0)
      const possible = list.reduce((sum, one) => sum + (one.input.points ?? 1), 0)
      expect({
        earned: outcome.earned,
        possible: outcome.possible,
        correct: outcome.correct,
        waits: outcome.waits,
        score: outcome.score,
      }).toEqual({
        earned,
        possible,
        correct: list.filter((one) => worth(one) === true).length,
        waits: list.some((one) => worth(one) === null),
        score: possible === 0 ? 100 : percent(earned, possible),
      })
      seen += 1
    }),
    { numRuns: 10_000 },
  )
  expect(seen).toBe(10_000)
})

test('manual grades override the key, per question', () => {
  fc.assert(
    fc.property(
      fc.array(posed, { minLength: 1, maxLength: 6 }),
      fc.array(fc.tuple(fc.boolean(), points), { maxLength: 6 }),
      (list, byHand) => {
        const questions = readQuestions(list.map(({ input }) => input))
        const { answers } = parseAnswers(questions, Object.fromEntries(list.map((one, i) => [questions[i]?.id, one.sent])))
        const given = byHand
          .slice(0, questions.length)
          .map(([is_correct, most], i) => ({ is_correct, points: Math.min(most, questions[i]?.points ?? 0) }))
        const grades = Object.fromEntries(given.map((grade, i) => [questions[i]?.id, grade]))
        const { details } = gradeAnswers(questions, answers, grades)
        const plain = gradeAnswers(questions, answers).details
        for (const [i, detail] of details.entries()) {
          const grade = given[i]
          expect([detail.isCorrect, detail.points]).toEqual(
            grade ? [grade.is_correct, grade.points] : [plain[i]?.isCorrect, plain[i]?.points],
          )
        }
      },
    ),
  )
})

describe('answers', () => {
  const [ask] = readQuestions([{ type: 'multiple_choice', question: 'Q', options: [{ text: 'A', is_correct: true }, { text: 'B' }] }]) as [
    Question,
  ]
  test('invalid answers are distinguished from missing ones', () => {
    for (const value of [{}, [['A']], ['A', 'B'], 'x'.repeat(10_001), Array.from({ length: 101 }, () => 'A')]) {
      expect(parseAnswers([ask], { [ask.id]: value })).toEqual({ answers: {}, missing: [], malformed: [ask.id] })
    }
  })
  test('become option ids where they name an option, and stay unchanged otherwise', () => {
    expect(parseAnswers([ask], { q1: ' B' }).answers).toEqual({ q1: 'o2' })
    expect(parseAnswers([ask], { q1: 'C' }).answers).toEqual({ q1: 'C' })
  })
})

describe('a definition', () => {
  const fine: QuestionInput = { type: 'multiple_choice', question: 'Q', options: [{ text: 'A', is_correct: true }, { text: 'B' }] }
  const two = (a: object, b: object = { text: 'B' }) => [{ text: 'A', is_correct: true, ...a }, b]
  const truths = { type: 'true_false', question: 'Q' } as const
  const bad: Record<string, readonly [QuestionInput[], field: string]> = {
    'no type': [[{ question: 'Q' }], '0.type'],
    'no question': [[{ ...fine, question: ' ' }], '0.question'],
    'a question that is too long': [[{ ...fine, question: 'x'.repeat(2001) }], '0.question'],
    'an explanation that is too long': [[{ ...fine, explanation: 'x'.repeat(5001) }], '0.explanation'],
    'no options': [[{ type: 'multiple_choice', question: 'Q' }], '0.options'],
    'one option': [[{ ...fine, options: [{ text: 'A', is_correct: true }] }], '0.options'],
    'too many options': [
      [{ ...fine, options: Array.from({ length: 51 }, (_, i) => ({ text: `${i}`, is_correct: i === 0 })) }],
      '0.options',
    ],
    'an empty option': [[{ ...fine, options: two({}, { text: '' }) }], '0.options.1.text'],
    'an option without text': [[{ ...fine, options: two({}, {}) }], '0.options.1.text'],
    'the same option twice': [[{ ...fine, options: two({}, { text: ' A' }) }], '0.options'],
    'no correct option': [[{ ...fine, options: two({ is_correct: false }) }], '0.options'],
    'no correct option to select': [[{ ...fine, type: 'multiple_select', options: two({ is_correct: 0 }) }], '0.options'],
    'two correct options': [[{ ...fine, options: two({}, { text: 'B', is_correct: true }) }], '0.options'],
    'two truths': [[{ ...truths, options: two({ id: 'true' }, { id: 'b', text: 'True' }) }], '0.options'],
    'a truth called false': [[{ ...truths, options: two({ id: 'true', text: 'False' }, { id: 'false', text: 'True' }) }], '0.options'],
    'three truths': [[{ ...truths, options: [...two({}), { text: 'C' }] }], '0.options'],
    'neither true nor false': [[{ ...truths, correct_answer: 'perhaps' }], '0.options'],
    'both true and false': [[{ ...truths, options: two({ text: 'True' }, { text: 'False', is_correct: true }) }], '0.options'],
    'options of a short answer': [[{ ...fine, type: 'short_answer' }], '0.options'],
    'a short answer that is a boolean': [[{ type: 'short_answer', question: 'Q', correct_answer: true }], '0.correct_answer'],
    'a key that is too long': [[{ type: 'short_answer', question: 'Q', correct_answer: 'x'.repeat(501) }], '0.correct_answer'],
    'an id twice': [
      [
        { ...fine, id: 'a' },
        { ...fine, id: 'a' },
      ],
      '1.id',
    ],
    'an option id twice': [[{ ...fine, options: two({ id: 'a' }, { id: 'a', text: 'B' }) }], '0.options.1.id'],
    'an id with spaces': [[{ ...fine, id: 'a b' }], '0.id'],
    'an empty id': [[{ ...fine, id: '' }], '0.id'],
    'an id that is too long': [[{ ...fine, id: 'x'.repeat(65) }], '0.id'],
    'an id that every object has': [[{ ...fine, id: 'constructor' }], '0.id'],
    'an id that is a prototype': [[{ ...fine, id: '__proto__' }], '0.id'],
    'an option id that every object has': [[{ ...fine, options: two({ id: 'toString' }) }], '0.options.0.id'],
    'too many questions': [Array.from({ length: 201 }, () => fine), ''],
    'more than is kept': [Array.from({ length: 60 }, () => ({ ...fine, explanation: 'x'.repeat(5000) })), ''],
  }
  test.each(Object.entries(bad))('with %s is refused', (_name, [questions, field]) => {
    const told = ['quiz.questions', field].filter(Boolean).join('.')
    expect(() => readQuestions(questions)).toThrow(
      expect.objectContaining({ code: 'invalid_data', data: { errors: { [told]: expect.any(String) } } }),
    )
  })

  test('gets missing ids, all unique', () => {
    const questions = readQuestions([fine, { ...fine, id: 'q1' }, { ...fine, id: 'q3' }, fine, { ...truths, correct_answer: 'False' }])
    expect(questions.map(({ id }) => id)).toEqual(['q2', 'q1', 'q3', 'q4', 'q5'])
    expect(questions[0]?.options.map(({ id }) => id)).toEqual(['o1', 'o2'])
    expect(questions[4]?.options).toEqual([
      { id: 'true', text: 'True', is_correct: false },
      { id: 'false', text: 'False', is_correct: true },
    ])
  })

  test('parses its own output', () => {
    const once = readQuestions([
      fine,
      { type: 'short_answer', question: 'Q', correct_answer: ' a ', points: 0 },
      { ...truths, correct_answer: true },
    ])
    expect(readQuestions(once)).toEqual(once)
  })
})

test('submitting is refused after passing, while waiting for grading, and beyond the allowed attempts', () => {
  const at = (used: number, was_passed: 0 | 1 = 0, waiting: 0 | 1 = 0) => ({ used, was_passed, waiting })
  expect([submitBlocker(at(0), 0), submitBlocker(at(99), 0), submitBlocker(at(2), 3)]).toEqual([null, null, null])
  expect([submitBlocker(at(3), 3), submitBlocker(at(4), 3)]).toEqual(['max_attempts_reached', 'max_attempts_reached'])
  expect([submitBlocker(at(3, 1), 3), submitBlocker(at(1, 0, 1), 0)]).toEqual(['already_submitted', 'already_submitted'])
})

test('the time limit has ten seconds of tolerance', () => {
  const start = '2026-03-10 12:00:00'
  expect([expiryOf(start, 60), expiryOf(start, 0)]).toEqual(['2026-03-10 12:01:00', null])
  expect([isLate(start, 60, '2026-03-10 12:01:10'), isLate(start, 60, '2026-03-10 12:01:11')]).toEqual([false, true])
  expect(isLate(start, 0, '2027-01-01 00:00:00')).toBe(false)
})

test('an order keeps all questions and puts unnamed ones last', () => {
  const questions = readQuestions(Array.from({ length: 4 }, () => ({ type: 'short_answer' as const, question: 'Q' })))
  expect(inOrder(questions, ['q3', 'q1', 'gone']).map(({ id }) => id)).toEqual(['q3', 'q1', 'q2', 'q4'])
  const turns = [2, 0, 0]
  expect(shuffled(['a', 'b', 'c', 'd'], () => turns.pop() ?? 0).toSorted()).toEqual(['a', 'b', 'c', 'd'])
})
