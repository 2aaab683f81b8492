import type { QuestionDraft } from '../course-model.ts'
import { htmlToText } from '../html-to-text.ts'
import type { Report } from '../report.ts'

export interface QtiReading {
  readonly file: string
  readonly report: Report
  readonly line: number
}

export const qtiText = ({ file, report, line }: QtiReading, markup: string): string => {
  const { text, lost } = htmlToText(markup)
  if (lost.length > 0) report.note(file, line, `questions are plain text: <${lost.join('>, <')}> was removed`)
  return text
}

export const refuse = ({ file, report, line }: QtiReading, text: string): null => {
  report.error(file, line, text)
  return null
}

interface Choice {
  readonly text: string
  readonly is_correct: boolean
}

const WORDS = new Map([
  ['true', 'true'],
  ['false', 'false'],
])

/** A question with choices. It becomes true_false if the choices are True and False. */
export const choiceQuestion = (
  reading: QtiReading,
  {
    question,
    options,
    several,
    points,
    explanation,
  }: { question: string; options: Choice[]; several: boolean; points: number; explanation: string },
): QuestionDraft | null => {
  if (question === '') return refuse(reading, 'the question has no text')
  if (options.length < 2) return refuse(reading, 'a choice question needs at least two choices')
  if (options.some(({ text }) => text === '')) return refuse(reading, 'a choice has no text')
  const right = options.filter(({ is_correct }) => is_correct)
  if (right.length === 0) return refuse(reading, 'no choice is marked as correct')
  if (!several && right.length > 1) return refuse(reading, 'several choices are marked as correct, but only one can be chosen')
  const base = { question, points, explanation, line: reading.line }
  const words = options.map(({ text }) => WORDS.get(text.toLowerCase()))
  if (!several && options.length === 2 && words.includes('true') && words.includes('false'))
    return { ...base, type: 'true_false', options: [], answers: [WORDS.get(right[0]?.text.toLowerCase() ?? '') ?? 'true'] }
  return { ...base, type: several ? 'multiple_select' : 'multiple_choice', options, answers: [] }
}

/** Rounds points to whole numbers, at least 1. */
export const wholePoints = (reading: QtiReading, value: string | undefined): number => {
  const points = Number(value)
  if (!value || !Number.isFinite(points) || points <= 0) return 1
  const whole = Math.max(1, Math.round(points))
  if (whole !== points) reading.report.note(reading.file, reading.line, `${points} points become ${whole}`)
  return whole
}
