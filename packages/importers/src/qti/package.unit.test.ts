import { expect, test } from 'vitest'
import { readCourse } from '../read-course.ts'
import { createReport, findingLine } from '../report.ts'

const read = (files: Record<string, string>) => {
  const report = createReport()
  const tree = new Map(Object.entries(files).map(([path, text]) => [path, Buffer.from(text)]))
  const course = readCourse(tree, { name: 'my-package', media: 'https://here.example/media' }, report)
  return { course, errors: report.errors.map(findingLine), notes: report.notes.map(findingLine) }
}

const quizzes = (files: Record<string, string>) => {
  const { course, errors } = read(files)
  expect(errors).toEqual([])
  return course.sections.map(({ title, lessons }) => [
    title,
    lessons.map((lesson) => [lesson.title, lesson.quiz?.questions.map(({ question }) => question)]),
  ])
}

const manifest = (resources: string, title = '') => `<?xml version="1.0"?>
<manifest xmlns="http://www.imsglobal.org/xsd/imscp_v1p1" xmlns:imsmd="http://www.imsglobal.org/xsd/imsmd_v1p2">
<metadata><schema>IMS QTI</schema>${title && `<imsmd:lom><imsmd:general><imsmd:title><imsmd:langstring>${title}</imsmd:langstring></imsmd:title></imsmd:general></imsmd:lom>`}</metadata>
<organizations/>
<resources>
${resources}
</resources></manifest>`
const resource = (type: string, href: string) =>
  `<resource identifier="${href}" type="${type}" href="${href}"><file href="${href}"/></resource>`

const item = (question: string) => `<assessmentItem xmlns="http://www.imsglobal.org/xsd/imsqti_v2p1" identifier="i" title="T">
<responseDeclaration identifier="R" cardinality="single" baseType="identifier"><correctResponse><value>a</value></correctResponse></responseDeclaration>
<itemBody><choiceInteraction responseIdentifier="R" maxChoices="1"><prompt>${question}</prompt>
<simpleChoice identifier="a">Yes</simpleChoice><simpleChoice identifier="b">No</simpleChoice></choiceInteraction></itemBody></assessmentItem>`

const item3 = (question: string) => `<?xml version="1.0"?>
<qti-assessment-item xmlns="http://www.imsglobal.org/xsd/imsqtiasi_v3p0" identifier="i" title="T" time-dependent="false">
<qti-response-declaration identifier="R" cardinality="multiple" base-type="identifier">
<qti-correct-response><qti-value>a</qti-value><qti-value>c</qti-value></qti-correct-response></qti-response-declaration>
<qti-item-body><qti-choice-interaction response-identifier="R" max-choices="2"><qti-prompt>${question}</qti-prompt>
<qti-simple-choice identifier="a">Oak</qti-simple-choice><qti-simple-choice identifier="b">Stone</qti-simple-choice>
<qti-simple-choice identifier="c">Elm</qti-simple-choice></qti-choice-interaction></qti-item-body></qti-assessment-item>`

const bank = (title: string, ...questions: string[]) => `<questestinterop xmlns="http://www.imsglobal.org/xsd/ims_qtiasiv1p2">
<assessment ident="a" title="${title}"><section ident="s">${questions
  .map(
    (question) => `<item ident="q"><presentation><material><mattext>${question}</mattext></material>
<response_str ident="r"><render_fib/></response_str></presentation></item>`,
  )
  .join('')}</section></assessment></questestinterop>`

const test2 = (...hrefs: string[]) => `<assessmentTest xmlns="http://www.imsglobal.org/xsd/imsqti_v2p1" identifier="t" title="Final test">
<timeLimits maxTime="900"/><testPart identifier="p" navigationMode="linear" submissionMode="individual">
<assessmentSection identifier="s" title="S" visible="true">
${hrefs.map((href, index) => `<assessmentItemRef identifier="i${index}" href="${href}"/>`).join('\n')}
</assessmentSection></testPart></assessmentTest>`

test('a test defines its items and their order; other items are separate quizzes', () => {
  const files = {
    'imsmanifest.xml': manifest(
      [
        resource('imsqti_test_xmlv2p1', 'tests/final.xml'),
        resource('imsqti_item_xmlv2p1', 'items/one.xml'),
        resource('imsqti_item_xmlv2p1', 'items/two.xml'),
        resource('imsqti_item_xmlv2p1', 'items/three%20more.xml'),
        resource('webcontent', 'style.css'),
      ].join('\n'),
      'Trees',
    ),
    'tests/final.xml': test2('../items/two.xml', '../items/one.xml'),
    'items/one.xml': item('One?'),
    'items/two.xml': item('Two?'),
    'items/three more.xml': item('Three?'),
    'xsd/imsqti.xml': '<schema/>',
    'style.css': 'p {}',
  }
  expect(quizzes(files)).toEqual([
    [
      'Trees',
      [
        ['Final test', ['Two?', 'One?']],
        ['Trees', ['Three?']],
      ],
    ],
  ])
  const { course, notes } = read(files)
  expect([course.title, course.sections[0]?.lessons[0]?.quiz?.settings]).toEqual(['Trees', { time_limit: 900 }])
  expect(notes.map((note) => note.split(':')[0])).toEqual(['style.css'])
})

test('a package of QTI 1.2: each file of questions is a quiz, and metadata is left out', () => {
  expect(
    quizzes({
      'imsmanifest.xml': manifest(
        `<resource identifier="a" type="imsqti_xmlv1p2"><file href="a/a.xml"/><dependency identifierref="m"/></resource>
         <resource identifier="m" type="associatedcontent/imscc_xmlv1p1/learning-application-resource" href="a/assessment_meta.xml"><file href="a/assessment_meta.xml"/></resource>
         ${resource('imsqti_xmlv1p2/imscc_xmlv1p1/assessment', 'b/b.xml')}`,
      ),
      'a/a.xml': bank('Leaves', 'Of an oak?', 'Of an elm?'),
      'a/assessment_meta.xml': '<quiz identifier="a"><title>Leaves</title></quiz>',
      'b/b.xml': bank('Bark', 'Is it smooth?'),
    }),
  ).toEqual([
    [
      'My package',
      [
        ['Leaves', ['Of an oak?', 'Of an elm?']],
        ['Bark', ['Is it smooth?']],
      ],
    ],
  ])
})

test('QTI 3 with its element names', () => {
  const files = {
    'imsmanifest.xml': manifest(resource('imsqti_test_xmlv3p0', 'test.xml') + resource('imsqti_item_xmlv3p0', 'one.xml')),
    'test.xml': `<qti-assessment-test xmlns="http://www.imsglobal.org/xsd/imsqtiasi_v3p0" identifier="t" title="Third">
<qti-test-part identifier="p"><qti-assessment-section identifier="s" title="S"><qti-assessment-item-ref identifier="i" href="one.xml"/>
</qti-assessment-section></qti-test-part></qti-assessment-test>`,
    'one.xml': item3('Which are trees?'),
  }
  expect(quizzes(files)).toEqual([['My package', [['Third', ['Which are trees?']]]]])
  expect(read(files).course.sections[0]?.lessons[0]?.quiz?.questions[0]).toMatchObject({
    type: 'multiple_select',
    options: [
      { text: 'Oak', is_correct: true },
      { text: 'Stone', is_correct: false },
      { text: 'Elm', is_correct: true },
    ],
  })
})

test('a package is part of a section of a course, beside its lessons; a test needs no manifest', () => {
  expect(
    quizzes({
      'course.md': '# C',
      '01-trees/01-oak.md': '# Oak',
      '01-trees/02-exam/imsmanifest.xml': manifest(resource('imsqti_item_xmlv2p1', 'i.xml'), 'Exam'),
      '01-trees/02-exam/i.xml': item('One?'),
      '02-more/test.xml': test2('i.xml'),
      '02-more/i.xml': item('Two?'),
    }),
  ).toEqual([
    [
      'Trees',
      [
        ['Oak', undefined],
        ['Exam', ['One?']],
      ],
    ],
    ['More', [['Final test', ['Two?']]]],
  ])
})

test.each([
  [
    'a file that is not there',
    { 'imsmanifest.xml': manifest(resource('imsqti_item_xmlv2p1', 'gone.xml')) },
    'imsmanifest.xml:6: there is no file gone.xml',
  ],
  [
    'a file outside of the package',
    { 'a/imsmanifest.xml': manifest(resource('imsqti_item_xmlv2p1', '../../secret.xml')) },
    'a/imsmanifest.xml:6: there is no file ../../secret.xml',
  ],
  [
    'an item that is not there',
    { 'imsmanifest.xml': manifest(resource('imsqti_test_xmlv2p1', 't.xml')), 't.xml': test2('a.xml') },
    't.xml:4: there is no file a.xml',
  ],
  [
    'a kind of question that a quiz has not',
    {
      'imsmanifest.xml': manifest(resource('imsqti_item_xmlv2p1', 'i.xml')),
      'i.xml': item('Q').replaceAll('choiceInteraction', 'orderInteraction'),
    },
    'i.xml:3: orderInteraction is not a supported type of question',
  ],
  ['a package without questions', { 'imsmanifest.xml': manifest(resource('webcontent', 'x.html')) }, 'contain no QTI questions'],
  ['a manifest that is none', { 'imsmanifest.xml': '<html/>' }, 'imsmanifest.xml:1: <html> is not the manifest'],
  ['broken XML', { 'imsmanifest.xml': manifest('<resource>') }, 'imsmanifest.xml:6: <resource> is not closed'],
])('%s is named with its line', (_, files, message) => {
  expect(read(files as Record<string, string>).errors.join('\n')).toContain(message)
})

test('custom entities and deep nesting are harmless', () => {
  const bomb = `<!DOCTYPE m [<!ENTITY a "aaaaaaaaaa"><!ENTITY f SYSTEM "file:///etc/passwd">]>${item('&a;&f;')}`
  const files = { 'imsmanifest.xml': manifest(resource('imsqti_item_xmlv2p1', 'i.xml')), 'i.xml': bomb }
  expect(read(files).course.sections[0]?.lessons[0]?.quiz?.questions[0]?.question).toBe('&a;&f;')
  const deep = `${'<a>'.repeat(5000)}${'</a>'.repeat(5000)}`
  expect(read({ 'imsmanifest.xml': deep }).errors.join('\n')).toContain('elements are nested too deeply')
})
