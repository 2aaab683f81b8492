import type { QuestionDraft } from '../course-model.ts'
import { choiceQuestion, type QtiReading, qtiText, refuse, wholePoints } from './common.ts'
import { childrenOf, type Element, textOf, within } from './xml.ts'

const asMarkup = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** The text of the materials of an element, except inside the elements in `except`. */
const materialText = (reading: QtiReading, element: Element, except: readonly string[] = []): string =>
  childrenOf(element)
    .flatMap((child): string[] => {
      if (except.includes(child.name)) return []
      if (child.name === 'mattext')
        return [qtiText(reading, child.attributes['texttype'] === 'text/plain' ? asMarkup(textOf(child)) : textOf(child))]
      if (child.name.startsWith('mat') && !['material', 'matemtext', 'matbreak'].includes(child.name)) {
        reading.report.note(reading.file, child.line, `questions are plain text: <${child.name}> was removed`)
        return []
      }
      return [materialText(reading, child, except)]
    })
    .filter(Boolean)
    .join('\n')

const metadata = (item: Element, label: string): string | undefined => {
  const field = within(item, 'qtimetadatafield').find((each) =>
    childrenOf(each, 'fieldlabel').some((name) => textOf(name).trim() === label),
  )
  return field ? childrenOf(field, 'fieldentry').map((entry) => textOf(entry).trim())[0] : undefined
}

/** Values of correct answers, excluding those inside <not>. */
const wanted = (element: Element): string[] =>
  childrenOf(element).flatMap((child) => {
    if (child.name === 'not') return []
    return child.name === 'varequal' ? [textOf(child).trim()] : wanted(child)
  })

const scores = (condition: Element) =>
  childrenOf(condition, 'setvar').some((each) => Number(textOf(each)) > 0 && each.attributes['action'] !== 'Subtract')

/** Reads a QTI 1.2 item; null after an error. */
export const readQti1Item = (file: string, report: QtiReading['report'], item: Element): QuestionDraft | null => {
  const reading: QtiReading = { file, report, line: item.line }
  if (metadata(item, 'question_type') === 'text_only_question') {
    report.note(file, item.line, 'text without a question was dropped')
    return null
  }
  const presentation = childrenOf(item, 'presentation')[0]
  if (!presentation) return refuse(reading, 'the item has no presentation')
  const responses = within(
    presentation,
    'response_lid',
    'response_str',
    'response_num',
    'response_xy',
    'response_grp',
    'response_extension',
  )
  const question = materialText(reading, presentation, ['response_lid', 'response_str', 'response_num', 'response_label'])
  const [response] = responses
  if (!response) return refuse(reading, 'the item has no question')
  if (responses.length > 1) return refuse({ ...reading, line: responses[1]?.line ?? item.line }, 'the item has several questions')
  const right = within(item, 'respcondition')
    .filter(scores)
    .flatMap((condition) => childrenOf(condition, 'conditionvar').flatMap(wanted))
  const explanation = within(item, 'itemfeedback')
    .map((each) => materialText(reading, each))
    .filter(Boolean)
    .join('\n')
  const points = wholePoints(reading, metadata(item, 'points_possible') ?? metadata(item, 'cc_weighting'))

  if (response.name === 'response_lid') {
    const options = within(response, 'response_label').map((label) => ({
      text: materialText({ ...reading, line: label.line }, label),
      is_correct: right.includes(label.attributes['ident'] ?? ''),
    }))
    const several = response.attributes['rcardinality']?.toLowerCase() === 'multiple'
    return choiceQuestion(reading, { question, options, several, points, explanation })
  }
  if (response.name !== 'response_str' && response.name !== 'response_num')
    return refuse({ ...reading, line: response.line }, `${response.name} is not a supported type of question`)
  if (question === '') return refuse(reading, 'the question has no text')
  const ranged = response.name === 'response_num' || within(item, 'vargte', 'varlte', 'vargt', 'varlt').length > 0
  if (ranged && right.length === 0) report.note(file, item.line, 'the number range becomes a short answer that is graded manually')
  return {
    type: 'short_answer',
    question,
    options: [],
    answers: ranged && within(item, 'vargte', 'varlte', 'vargt', 'varlt').length > 0 ? [] : right,
    points,
    explanation,
    line: item.line,
  }
}
