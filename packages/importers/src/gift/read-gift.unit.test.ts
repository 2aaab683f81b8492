import { describe, expect, test } from 'vitest'
import { createReport, findingLine } from '../report.ts'
import { readGift } from './read-gift.ts'

const read = (source: string) => {
  const report = createReport()
  const quizzes = readGift('q.gift', source, report)
  return {
    quizzes,
    questions: quizzes.flatMap(({ questions }) => questions),
    errors: report.errors.map(findingLine),
    notes: report.notes.map(findingLine),
  }
}

const only = (source: string) => {
  const { questions, errors } = read(source)
  expect([errors, questions.length]).toEqual([[], 1])
  return questions[0]!
}

const right = (source: string) =>
  only(source)
    .options.filter(({ is_correct }) => is_correct)
    .map(({ text }) => text)

describe('question types', () => {
  test('one choice', () => {
    expect(only('Where is the Louvre? {~Rome =Paris ~Oslo}')).toEqual({
      type: 'multiple_choice',
      question: 'Where is the Louvre?',
      options: [
        { text: 'Rome', is_correct: false },
        { text: 'Paris', is_correct: true },
        { text: 'Oslo', is_correct: false },
      ],
      answers: [],
      points: 1,
      explanation: '',
      line: 1,
    })
  })

  test('several choices, by weight', () => {
    const source = 'Which are even? {\n ~%50%Two\n ~%50%Four\n ~%-100%Five\n ~%0%Seven}'
    expect(only(source).type).toBe('multiple_select')
    expect(right(source)).toEqual(['Two', 'Four'])
  })

  test.each([
    ['T', 'true'],
    ['TRUE', 'true'],
    ['true', 'true'],
    ['F', 'false'],
    [' False ', 'false'],
  ])('true or false: {%s}', (key, answer) => {
    expect(only(`Snow is white.{${key}}`)).toMatchObject({ type: 'true_false', answers: [answer], options: [] })
  })

  test('short answers, with all correct variants', () => {
    expect(only('Two and two is {=four =4 =vier}.')).toMatchObject({
      type: 'short_answer',
      question: 'Two and two is _____.',
      answers: ['four', '4', 'vier'],
    })
    expect(only('Capital of Peru? {Lima}')).toMatchObject({ type: 'short_answer', answers: ['Lima'] })
  })

  test('an essay is a short answer graded by hand', () => {
    expect(only('Tell us about your summer. {}')).toMatchObject({ type: 'short_answer', answers: [] })
  })

  test('an exact number is a short answer; one with a tolerance is graded by hand, with the tolerance shown', () => {
    expect(only('How many legs has a spider? {#8}')).toMatchObject({ type: 'short_answer', answers: ['8'] })
    expect(only('And an ant? {#=6:0 # Insects have six.}')).toMatchObject({ answers: ['6'], explanation: '6:0: Insects have six.' })
    for (const [key, said] of [
      ['#3.14:0.01', 'Accepted: 3.14:0.01'],
      ['#3.1..3.2', 'Accepted: 3.1..3.2'],
      ['#\n =1900:0\n =%50%1900:5', 'Accepted: 1900:0, 1900:5 (50%)'],
    ])
      expect(only(`A number? {${key}}`)).toMatchObject({ type: 'short_answer', answers: [], explanation: said })
  })

  test('pairs become a question each', () => {
    const { questions, notes } = read('Match. {\n =Peru -> Lima\n =Italy -> Rome\n = -> Oslo\n}')
    expect(questions.map(({ question, line }) => [question, line])).toEqual([
      ['Match.\nPeru', 2],
      ['Match.\nItaly', 3],
    ])
    expect(questions[0]?.options).toEqual([
      { text: 'Lima', is_correct: true },
      { text: 'Rome', is_correct: false },
      { text: 'Oslo', is_correct: false },
    ])
    expect(notes).toEqual(['q.gift:1: the matching question becomes 2 single-choice questions'])
  })

  test('a text without answers becomes the introduction of the quiz', () => {
    expect(read('Read this first.\n\nOne? {T}').quizzes[0]).toMatchObject({
      intro: ['Read this first.'],
      questions: [{ question: 'One?' }],
    })
  })
})

describe('syntax', () => {
  test('control characters that are escaped are plain ones', () => {
    expect(only(String.raw`Which is a set\: \{1\} or \# or \~? {=\{1\} ~\# ~a \= b ~back\\slash}`)).toMatchObject({
      question: 'Which is a set: {1} or # or ~?',
      options: [{ text: '{1}' }, { text: '#' }, { text: 'a = b' }, { text: String.raw`back\slash` }],
    })
    expect(only(String.raw`One\nTwo {T}`).question).toBe('One\nTwo')
  })

  test('comments, names and categories', () => {
    const { quizzes, notes } = read(
      '// a comment\n$CATEGORY: $course$/top/Birds\n\n::Q1:: Birds\n// another\nfly. {T}\n\n$CATEGORY: Fish\nFish swim. {T}',
    )
    expect(quizzes.map(({ category, questions }) => [category, questions[0]?.question, questions[0]?.line])).toEqual([
      ['$course$/top/Birds', 'Birds\nfly.', 4],
      ['Fish', 'Fish swim.', 9],
    ])
    expect(notes).toEqual(['q.gift: question names (::name::) were dropped: 1'])
  })

  test('Windows line ends, and indentation', () => {
    expect(only('Where? {\r\n\t~here\r\n\t=there\r\n}\r\n').options.map(({ text }) => text)).toEqual(['here', 'there'])
  })

  test('feedback becomes the explanation', () => {
    expect(only('Q {~A#No.\n =B#Yes.\n ####Think of the alphabet.}').explanation).toBe('Think of the alphabet.\nA: No.\nB: Yes.')
    expect(only('Q {F#It is not.#Well done.}').explanation).toBe('True: It is not.\nFalse: Well done.')
  })

  test('formats: HTML becomes plain text, markdown stays', () => {
    expect(only(String.raw`[html]<p>Is <b>this</b> a &lt;div&gt;?</p>{~[plain]<no> =<p dir\="ltr">yes</p>}`)).toMatchObject({
      question: 'Is this a <div>?',
      options: [{ text: '<no>' }, { text: 'yes' }],
    })
    expect(only('[markdown]Is **this** bold? {T}').question).toBe('Is **this** bold?')
    expect(read('[html]<img src\\="x.png" alt\\="A cat"> What is it? {=cat}').notes).toEqual([
      'q.gift:1: questions are plain text: <img> was removed',
    ])
  })

  test('an equals sign inside a word, whose escape was forgotten', () => {
    const { questions, notes } = read('Which parameter? {\n\t~init=/bin/sh\n\t=root=/dev/sda3\n}')
    expect(questions[0]?.options).toEqual([
      { text: 'init=/bin/sh', is_correct: false },
      { text: 'root=/dev/sda3', is_correct: true },
    ])
    expect(notes).toHaveLength(2)
    expect(right('Without spaces? {~a~b=c}')).toEqual(['c'])
  })

  test('an asterisk for any text: feedback for other answers, or a short answer graded by hand', () => {
    const { questions, notes } = read('Pet? {\n =Dog#Yes.\n =%0%*#Neither.\n}')
    expect([questions[0]?.answers, questions[0]?.explanation, notes]).toEqual([['Dog'], 'Dog: Yes.\nOtherwise: Neither.', []])
    expect(only('Pet? {=*dog* =cat}')).toMatchObject({ answers: [], explanation: 'Accepted: *dog*, cat' })
    expect(only(String.raw`A product? {=a\*b}`)).toMatchObject({ answers: ['a*b'], explanation: '' })
    expect(only('A number? {#7:2~#Far from it.}')).toMatchObject({ answers: [], explanation: 'Otherwise: Far from it.\nAccepted: 7:2' })
    expect(only('A number? {#=7 #Right. =%0%* #Wrong.}')).toMatchObject({ answers: ['7'], explanation: '7: Right.\nOtherwise: Wrong.' })
  })

  test('pairs without a space between them, and their feedback', () => {
    const { questions, errors } = read('Capitals.{=Peru->Lima=Italy->Rome#On the Tiber.}')
    expect([errors, questions.map(({ question }) => question)]).toEqual([[], ['Capitals.\nPeru', 'Capitals.\nItaly']])
    expect(questions[1]).toMatchObject({ explanation: 'On the Tiber.', options: [{ text: 'Lima' }, { text: 'Rome', is_correct: true }] })
    expect(only('How? {~first -> then =then -> first}').options.map(({ text }) => text)).toEqual(['first -> then', 'then -> first'])
  })

  test('an equals sign inside a short answer is reported', () => {
    expect(read('x? {=x=5}')).toMatchObject({
      questions: [{ answers: ['x=5'] }],
      notes: [expect.stringMatching(/^q\.gift:1: an = inside a word was read as text/)],
    })
  })

  test('a name begins a question, even without an empty line before it', () => {
    const { questions, errors } = read('::One:: A {T}\n::Two:: B {\n=b\n}.\n// three\n::Three:: C {}')
    expect([errors, questions.map(({ question, line }) => [question, line])]).toEqual([
      [],
      [
        ['A', 1],
        ['B _____.', 2],
        ['C', 6],
      ],
    ])
    expect(read('::Open:: A {\n=a\n::b:: c}').questions).toHaveLength(1)
  })

  test('answers on several lines, a code block, a gap at the beginning, feedback without text', () => {
    expect(only('[markdown]Which?{\n =one\n long answer\n =another}').answers).toEqual(['one long answer', 'another'])
    expect(only(String.raw`[html]<p>Prints?</p><pre>run() \{ go(); \}</pre>{~a =b}`).question).toBe('Prints?\nrun() { go(); }')
    expect(only('[html]{ = Asia } is large.').question).toBe('_____ is large.')
    expect(only(String.raw`[html]Q\nR $ 1 \\neq 0 $ {~<p>a</p>#<br><p><br></p> =<p>b</p>}`)).toMatchObject({
      question: String.raw`Q R $ 1 \neq 0 $`,
      explanation: '',
    })
  })

  test('partial credit is reported with its line', () => {
    expect(read('Q {~a\n ~%50%b\n =c}').notes).toEqual(['q.gift:2: partial credit is not supported: 50% for "b" was dropped'])
    expect(read('Q {=a\n =%75%b}')).toMatchObject({
      questions: [{ answers: ['a'] }],
      notes: ['q.gift:2: partial credit is not supported: "b" for 75% was dropped'],
    })
  })
})

describe('all errors are reported together, with their lines', () => {
  test.each([
    ['Open {=a', 1, 'no closing }'],
    ['Two\nlines {=a\n\n}', 2, 'no closing }'],
    ['Late } here {=a}', 1, 'unmatched }'],
    ['A {=a} b {=c}', 1, 'a second {'],
    ['\n\nNone {~a ~b}', 3, 'no answer is marked as correct'],
    ['Both {\n=a\n=b\n~c}', 3, 'several answers are marked'],
    ['Empty {=a\n~\n~b}', 2, 'an answer has no text'],
    ['Number {#\n=eight}', 2, 'is neither a number'],
    ['Pair {=a -> b\n=c -> }', 2, 'needs "=one -> other"'],
    ['{=}', 1, 'the question has no text'],
  ])('%j', (source, line, text) => {
    const { errors } = read(source)
    expect(errors[0]).toContain(text)
    expect(errors[0]).toMatch(new RegExp(`^q\\.gift:${line}: `))
  })

  test('several errors, with valid questions in between', () => {
    const { errors, questions } = read('One {=a\n\nTwo {T}\n\nThree {~x}\n')
    expect(errors.map((error) => error.split(':')[1])).toEqual(['1', '5'])
    expect(questions).toHaveLength(1)
  })

  test('a file without a question', () => {
    expect(read('// nothing\n').errors).toEqual(['q.gift: it contains no questions'])
  })
})
