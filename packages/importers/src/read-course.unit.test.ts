import { describe, expect, test } from 'vitest'
import { countsOf } from './course-model.ts'
import { writeCoursePages } from './markdown/write-course.ts'
import { readCourse } from './read-course.ts'
import { createReport, findingLine } from './report.ts'

const read = (files: Record<string, string>) => {
  const report = createReport()
  const course = readCourse(
    new Map(Object.entries(files).map(([path, text]) => [path, Buffer.from(text)])),
    { name: 'my-course', media: 'https://here.example/media' },
    report,
  )
  return { course, errors: report.errors.map(findingLine), notes: report.notes.map(findingLine) }
}

const outline = (files: Record<string, string>) =>
  read(files).course.sections.map(({ title, lessons }) => [title, ...lessons.map((lesson) => lesson.title)])

describe('the layout', () => {
  test('folders are sections, files lessons, numbers their order', () => {
    expect(
      outline({
        'course.md': '# The course\nText.',
        '10-last/1.md': '# Ten',
        '2-second part/lesson-b.md': 'b',
        '2-second part/01_lesson_a.md': 'a',
        '01-first/10-z.md': 'z',
        '01-first/9-y.md': '---\ntitle: Why\n---\ny',
        '01-first/section.md': '---\ntitle: The first\n---\n',
        'appendix/x.gift': 'Q {T}',
      }),
    ).toEqual([
      ['The first', 'Why', 'Z'],
      ['Second part', 'Lesson a', 'Lesson b'],
      ['Last', 'Ten'],
      ['Appendix', 'X'],
    ])
  })

  test('one file of questions is a course of one quiz', () => {
    const { course, errors } = read({ 'world-capitals.gift': 'Capital of Peru? {Lima}' })
    expect(errors).toEqual([])
    expect([course.title, course.sections[0]?.lessons[0]?.title, countsOf(course)]).toEqual([
      'My course',
      'World capitals',
      { sections: 1, lessons: 1, quizzes: 1, questions: 1, files: 0 },
    ])
  })

  test('course.yaml and course.json are accepted as well', () => {
    expect(read({ 'course.yaml': 'title: One\nprice: 9.5\n', 'a/1.md': 'x' }).course).toMatchObject({ title: 'One', price: 9.5 })
    expect(read({ 'course.json': '{"title": "Two", "difficulty": "advanced"}', 'a/1.md': 'x' }).course).toMatchObject({
      title: 'Two',
      difficulty: 'advanced',
    })
  })

  test('a page takes its questions from a file next to it', () => {
    const { course, errors } = read({
      'a/1-quiz.md': '---\ntitle: Test\nquiz:\n  file: 1-quiz.gift\n  passing_score: 90\n---\nGood luck.',
      'a/1-quiz.gift': 'Begin.\n\nOne {T}\n\nTwo {F}',
    })
    expect(errors).toEqual([])
    expect(course.sections[0]?.lessons).toMatchObject([
      {
        title: 'Test',
        content: { text: 'Good luck.\n\nBegin.' },
        quiz: { settings: { passing_score: 90 }, questions: [{ question: 'One' }, { question: 'Two' }] },
      },
    ])
  })

  test('categories of a GIFT file are separate quizzes', () => {
    expect(outline({ 'q.gift': '$CATEGORY: $course$/top/Default for Birds\n\nA {T}\n\n$CATEGORY: Fish\n\nB {T}' })).toEqual([
      ['My course', 'Birds', 'Fish'],
    ])
  })

  test('files that are not lessons are left out and reported', () => {
    const { notes, errors } = read({
      'course.md': '',
      'a/1.md': '![x](pic.png)\n![y](https://e.org/y.png)',
      'a/pic.png': 'x',
      'a/deep/pic.png': 'x',
      'README.md': 'r',
    })
    expect(errors).toEqual([])
    expect(notes.map((note) => note.split(': ')[0])).toEqual(['README.md', 'a/deep/pic.png'])
  })
})

describe('all errors are reported together, with file and line', () => {
  test('a course full of mistakes', () => {
    const { errors } = read({
      'course.md': '---\ntitle: x\ndifficulty: hard\nprivcy: secret\nsettings:\n  emoji: 7\n---\n',
      'a/1.md': '---\ntitle: [a\n---\n',
      'a/2.md': '---\nvideo_url: javascript:alert(1)\nresources:\n  - title: x\n    url: ftp://x\n---\n',
      'a/3.md':
        '---\nquiz:\n  passing_score: 101\n  questions:\n    - question: One\n      options:\n        - text: a\n        - text: b\n---\n',
      'a/4.md': '---\ntitle: never closed\n',
      'a/5.gift': 'Q {=a',
      'a/6/7.md': 'too deep',
    })
    expect(errors.map((error) => /^[^ ]+/.exec(error)?.[0])).toEqual(
      [
        'course.md:4:',
        'course.md:6:',
        'course.md:3:',
        'a/6/7.md:',
        'a/1.md:2:',
        'a/2.md:4:',
        'a/2.md:2:',
        'a/3.md:3:',
        'a/4.md:1:',
        'a/5.gift:1:',
        'a/3.md:5:',
      ].map((place) => expect.stringContaining(place.slice(0, -2))),
    )
  })

  test.each([
    ['not UTF-8', { 'a/1.md': Buffer.from([0x66, 0xff, 0x66]) }, 'a/1.md:1: it is not encoded in UTF-8'],
    ['a zero', { 'a/1.md': Buffer.from('one\ntwo\0') }, 'a/1.md:2: it is not a text file'],
    ['nothing', { 'course.md': Buffer.from('x') }, 'course.md: it contains no lessons'],
    ['two course pages', { 'course.md': Buffer.from(''), 'course.yaml': Buffer.from('') }, 'course.yaml: the course already has course.md'],
    ['an empty quiz', { 'a/1.md': Buffer.from('---\nquiz: {}\n---\n') }, 'a/1.md: the quiz has no questions'],
    [
      'the same choice twice, in questions of another file',
      { 'a/1.md': Buffer.from('---\nquiz:\n  file: q.gift\n---\n'), 'a/q.gift': Buffer.from('\nOne {=a ~b ~b}') },
      'a/q.gift:2: two of its options are the same',
    ],
    ['questions elsewhere', { 'a/1.md': Buffer.from('---\nquiz:\n  file: ../../etc/passwd\n---\n') }, 'a/1.md:3: its folder has no file'],
  ])('%s', (_, files, message) => {
    const report = createReport()
    readCourse(new Map(Object.entries(files)), { name: 'c', media: 'https://here.example/media' }, report)
    expect(report.errors.map(findingLine).join('\n')).toContain(message)
  })

  test('exponentially growing aliases are refused', () => {
    const bomb = `a: &a [x,x,x,x,x,x,x,x,x]\n${'bcdefgh'
      .split('')
      .map((name, i) => `${name}: &${name} [${Array(9).fill(`*${'abcdefgh'[i]}`).join(',')}]`)
      .join('\n')}\n`
    expect(read({ 'course.yaml': bomb, 'a/1.md': 'x' }).errors[0]).toContain('alias')
  })
})

test('a course that is written and read again is the same', () => {
  const tricky = ['true', '42', 'a: b # c', '"quoted"', '- list', '  ', 'ünï — 文', "it's\nlong", '---']
    .map((text) => text.trim())
    .filter(Boolean)
  const { course } = read({
    'course.md': '---\ntitle: "a: b"\nprice: 3\nsettings:\n  sequential_lesson_order: yes\n---\n<p>x</p>\n\n---\n\nmore',
    'a/section.md': '---\ntitle: One\ndays_after: 3\n---\n',
    'a/1.md': JSON.stringify(tricky),
    'a/2.gift': tricky
      .map((text) => `${text.replace(/[#:{}~=\\]/g, '\\$&')}? {=${text.replace(/[#:{}~=\\]/g, '\\$&').replaceAll('\n', ' ')} =x}`)
      .join('\n\n'),
    'b/1.md':
      '---\nstatus: archived\nis_preview: true\nquiz:\n  max_attempts: 2\n  questions:\n    - question: "yes"\n      answer: false\n      points: 0\n    - question: Long\n      explanation: "a\\n\\nb"\n---\n',
  })
  const pages = writeCoursePages(course)
  const again = read(Object.fromEntries(pages))
  const plain = (value: unknown) => JSON.parse(JSON.stringify(value, (key, each) => (key === 'file' || key === 'line' ? undefined : each)))
  expect(again.errors).toEqual([])
  expect(plain(again.course)).toEqual(plain(course))
})
