import { expect, test } from 'vitest'
import { createReport, findingLine } from '../report.ts'
import { readQti } from './read-qti.ts'

const read = (source: string) => {
  const report = createReport()
  const { title, questions } = readQti('q.xml', source, report)
  return { title, questions, errors: report.errors.map(findingLine), notes: report.notes.map(findingLine) }
}

const item2 = (cardinality: string, correct: string[], body: string) => `<?xml version="1.0"?>
<assessmentItem xmlns="http://www.imsglobal.org/xsd/imsqti_v2p1" identifier="i1" title="Fruit">
  <responseDeclaration identifier="R" cardinality="${cardinality}" baseType="identifier">
    <correctResponse>${correct.map((value) => `<value>${value}</value>`).join('')}</correctResponse>
  </responseDeclaration>
  <itemBody>
    ${body}
  </itemBody>
  <modalFeedback outcomeIdentifier="F" identifier="f">Carrots are roots.</modalFeedback>
</assessmentItem>`

const choices = (
  most: number,
) => `<p>Look &amp; choose.</p><choiceInteraction responseIdentifier="R" maxChoices="${most}"><prompt>Which is a root?</prompt>
  <simpleChoice identifier="a">Apple <feedbackInline identifier="a">No.</feedbackInline></simpleChoice>
  <simpleChoice identifier="c">Carrot</simpleChoice></choiceInteraction>`

test('QTI 2: choices, a gap, a text', () => {
  expect(read(item2('single', ['c'], choices(1)))).toMatchObject({
    title: 'Fruit',
    errors: [],
    questions: [
      {
        type: 'multiple_choice',
        question: 'Look & choose.\n\nWhich is a root?',
        options: [
          { text: 'Apple', is_correct: false },
          { text: 'Carrot', is_correct: true },
        ],
        explanation: 'Carrots are roots.\nApple: No.',
      },
    ],
  })
  expect(read(item2('multiple', ['a', 'c'], choices(0))).questions[0]?.type).toBe('multiple_select')
  expect(read(item2('single', ['four'], '<p>Two and two is <textEntryInteraction responseIdentifier="R"/>.</p>')).questions).toMatchObject([
    { type: 'short_answer', question: 'Two and two is _____ .', answers: ['four'] },
  ])
  expect(
    read(item2('single', [], '<extendedTextInteraction responseIdentifier="R"><prompt>Tell us.</prompt></extendedTextInteraction>'))
      .questions,
  ).toMatchObject([{ type: 'short_answer', question: 'Tell us.', answers: [] }])
})

test('QTI 2: unsupported questions are reported with their lines', () => {
  expect(read(item2('multiple', ['a b'], '<p>Match.</p><matchInteraction responseIdentifier="R"/>')).errors).toEqual([
    'q.xml:7: matchInteraction is not a supported type of question',
  ])
  expect(read(item2('single', ['c'], choices(1) + choices(1))).errors[0]).toContain('the item has several questions')
  expect(read(item2('single', ['x'], choices(1))).errors[0]).toContain('no choice is marked as correct')
})

const item1 = (response: string, processing: string, points = '2.0') => `<item ident="q" title="T">
 <itemmetadata><qtimetadata><qtimetadatafield><fieldlabel>points_possible</fieldlabel><fieldentry>${points}</fieldentry></qtimetadatafield></qtimetadata></itemmetadata>
 <presentation><material><mattext texttype="text/html">&lt;p&gt;Capital of &lt;b&gt;Peru&lt;/b&gt;?&lt;/p&gt;</mattext></material>${response}</presentation>
 <resprocessing><outcomes><decvar maxvalue="100" minvalue="0"/></outcomes>${processing}</resprocessing>
 <itemfeedback ident="f"><material><mattext>It lies at the sea.</mattext></material></itemfeedback></item>`
const label = (ident: string, text: string) =>
  `<response_label ident="${ident}"><material><mattext texttype="text/plain">${text}</mattext></material></response_label>`
const lid = (cardinality: string, ...labels: string[]) =>
  `<response_lid ident="r" rcardinality="${cardinality}"><render_choice>${labels.join('')}</render_choice></response_lid>`
const right = (...parts: string[]) =>
  `<respcondition><conditionvar>${parts.join('')}</conditionvar><setvar action="Set" varname="SCORE">100</setvar></respcondition>`
const equal = (ident: string) => `<varequal respident="r">${ident}</varequal>`
const whole = (
  ...items: string[]
) => `<questestinterop xmlns="http://www.imsglobal.org/xsd/ims_qtiasiv1p2"><assessment ident="a" title="Countries"><section ident="s">
${items.join('\n')}
</section></assessment></questestinterop>`

test('QTI 1.2: choices, true and false, texts', () => {
  const { title, questions, errors } = read(
    whole(
      item1(lid('Single', label('a', 'Lima'), label('b', 'Oslo')), right(equal('a'))),
      item1(
        lid('Multiple', label('a', 'Lima'), label('b', 'Oslo'), label('c', 'LIM')),
        right(`<and>${equal('a')}${equal('c')}<not>${equal('b')}</not></and>`),
      ),
      item1(lid('Single', label('a', 'True'), label('b', 'False')), right(equal('b'))),
      item1('<response_str ident="r" rcardinality="Single"><render_fib/></response_str>', right(equal('Lima')) + right(equal('lima'))),
      item1(
        '<response_str ident="r" rcardinality="Single"><render_fib/></response_str>',
        '<respcondition><conditionvar><other/></conditionvar></respcondition>',
      ),
    ),
  )
  expect([title, errors]).toEqual(['Countries', []])
  expect(questions).toMatchObject([
    {
      type: 'multiple_choice',
      question: 'Capital of Peru?',
      points: 2,
      explanation: 'It lies at the sea.',
      options: [
        { text: 'Lima', is_correct: true },
        { text: 'Oslo', is_correct: false },
      ],
    },
    { type: 'multiple_select', options: [{ is_correct: true }, { is_correct: false }, { is_correct: true }] },
    { type: 'true_false', answers: ['false'], options: [] },
    { type: 'short_answer', answers: ['Lima', 'lima'] },
    { type: 'short_answer', answers: [] },
  ])
})

test('QTI 1.2: several answers in one item are refused, odd points rounded', () => {
  const pairs = lid('Single', label('a', 'Lima'), label('b', 'Oslo'))
  expect(read(whole(item1(pairs + pairs, right(equal('a'))))).errors[0]).toMatch(/^q\.xml:\d+: the item has several questions$/)
  expect(read(whole(item1(pairs, right(equal('a')), '1.5'))).notes).toEqual(['q.xml:2: 1.5 points become 2'])
})

test('files that are not QTI, and malformed XML', () => {
  expect(read('<html><p>Hello</p></html>').errors[0]).toContain('no questions found in <html>')
  expect(read('hello').errors).toEqual(['q.xml:1: it contains no XML'])
  expect(read('<questestinterop>\n<item>\n<presentation></item></questestinterop>').errors[0]).toBe('q.xml:3: <presentation> is not closed')
})

test('custom entities are not expanded', () => {
  const bomb = `<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;"><!ENTITY f SYSTEM "file:///etc/passwd">]>${item2('single', ['c'], choices(1).replace('Look', '&b;&f;'))}`
  expect(read(bomb).questions[0]?.question).toContain('&b;&f;')
})
