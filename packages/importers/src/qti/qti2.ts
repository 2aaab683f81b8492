import type { QuestionDraft } from '../course-model.ts'
import { choiceQuestion, type QtiReading, qtiText, refuse, wholePoints } from './common.ts'
import { childrenOf, type Element, markupOf, textOf, within } from './xml.ts'

const READABLE = ['choiceInteraction', 'inlineChoiceInteraction', 'textEntryInteraction', 'extendedTextInteraction']

const correctValues = (item: Element, identifier: string | undefined): { values: string[]; declaration: Element | undefined } => {
  const declaration = childrenOf(item, 'responseDeclaration').find(({ attributes }) => attributes['identifier'] === identifier)
  const correct = declaration ? within(declaration, 'correctResponse').flatMap((each) => childrenOf(each, 'value')) : []
  const mapped = declaration ? within(declaration, 'mapEntry').filter(({ attributes }) => Number(attributes['mappedValue']) > 0) : []
  const values =
    correct.length > 0 ? correct.map((value) => textOf(value).trim()) : mapped.map(({ attributes }) => attributes['mapKey'] ?? '')
  return { values: values.filter((value) => value !== ''), declaration }
}

/** Reads a QTI 2.x assessmentItem; null after an error. */
export const readQti2Item = (file: string, report: QtiReading['report'], item: Element): QuestionDraft | null => {
  const reading: QtiReading = { file, report, line: item.line }
  const body = childrenOf(item, 'itemBody')[0]
  if (!body) return refuse(reading, 'the item has no itemBody')
  const all = everyInteraction(body)
  const [interaction] = all
  if (!interaction) return refuse(reading, 'the item has no question')
  const here = { ...reading, line: interaction.line }
  const foreign = all.find(({ name }) => !READABLE.includes(name))
  if (foreign) return refuse({ ...reading, line: foreign.line }, `${foreign.name} is not a supported type of question`)
  if (all.length > 1) return refuse({ ...reading, line: all[1]?.line ?? item.line }, 'the item has several questions')

  const prompt = childrenOf(interaction, 'prompt')[0]
  const blank = interaction.name === 'textEntryInteraction' || interaction.name === 'inlineChoiceInteraction' ? ' _____ ' : ''
  const stem = markupOf(body, (element) => (element === interaction ? blank : element.name === 'feedbackBlock' ? '' : null))
  const question = qtiText(reading, `${stem}<br/>${prompt ? markupOf(prompt) : ''}`)
  const { values, declaration } = correctValues(item, interaction.attributes['responseIdentifier'])
  const explanation = [...within(item, 'modalFeedback'), ...within(body, 'feedbackBlock')]
    .map((each) => qtiText(reading, markupOf(each)))
    .filter(Boolean)
    .join('\n')
  const outcome = childrenOf(item, 'outcomeDeclaration').find(({ attributes }) => attributes['identifier'] === 'MAXSCORE')
  const points = wholePoints(reading, outcome ? textOf(outcome).trim() : undefined)

  if (interaction.name === 'textEntryInteraction' || interaction.name === 'extendedTextInteraction') {
    if (question === '') return refuse(here, 'the question has no text')
    return {
      type: 'short_answer',
      question,
      options: [],
      answers: interaction.name === 'textEntryInteraction' ? values : [],
      points,
      explanation,
      line: item.line,
    }
  }
  const choices = within(interaction, 'simpleChoice', 'inlineChoice')
  const options = choices.map((choice) => ({
    text: qtiText(
      { ...reading, line: choice.line },
      markupOf(choice, ({ name }) => (name === 'feedbackInline' ? '' : null)),
    ),
    is_correct: values.includes(choice.attributes['identifier'] ?? ''),
  }))
  const said = choices.flatMap((choice, index) =>
    within(choice, 'feedbackInline').map((each) => `${options[index]?.text}: ${qtiText(reading, markupOf(each))}`),
  )
  const several = declaration?.attributes['cardinality'] === 'multiple'
  return choiceQuestion(here, { question, options, several, points, explanation: [explanation, ...said].filter(Boolean).join('\n') })
}

const everyInteraction = (body: Element): Element[] =>
  childrenOf(body).flatMap((child) => (child.name.endsWith('Interaction') ? [child] : everyInteraction(child)))
