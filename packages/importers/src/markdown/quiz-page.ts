import { QUESTION_TYPES, type QuestionDraft, type QuizDraft, type QuizSettings } from '../course-model.ts'
import { flagAt, hasAt, lengthAt, numberAt, oneOfAt, onlyKnown, textAt } from './fields.ts'
import type { Fields } from './front-matter.ts'

const SETTINGS = ['passing_score', 'max_attempts', 'time_limit', 'show_correct_answers', 'randomize_questions'] as const
const QUESTION = ['type', 'question', 'options', 'answer', 'answers', 'points', 'explanation'] as const

const WEEK = 604_800

const readQuizSettings = (fields: Fields): QuizSettings => {
  const number = (name: string, most: number) => {
    const value = numberAt(fields, ['quiz', name], { most })
    return value === null ? {} : { [name]: value }
  }
  const flag = (name: string) => (hasAt(fields, ['quiz', name]) ? { [name]: flagAt(fields, ['quiz', name], false) } : {})
  return {
    ...number('passing_score', 100),
    ...number('max_attempts', 1000),
    ...number('time_limit', WEEK),
    ...flag('show_correct_answers'),
    ...flag('randomize_questions'),
  }
}

const readOptions = (fields: Fields, path: readonly ['quiz', 'questions', number]) =>
  Array.from({ length: lengthAt(fields, [...path, 'options']) }, (_, index) => {
    const at = [...path, 'options', index] as const
    onlyKnown(fields, at, ['text', 'correct'])
    return { text: textAt(fields, [...at, 'text'], '', 1000), is_correct: flagAt(fields, [...at, 'correct'], false) }
  })

/** Infers the type of a question from its options or answers. */
const kindOf = (answers: readonly string[], options: QuestionDraft['options']): QuestionDraft['type'] => {
  if (options.length > 0) return options.filter(({ is_correct }) => is_correct).length > 1 ? 'multiple_select' : 'multiple_choice'
  return answers.length === 1 && (answers[0] === 'true' || answers[0] === 'false') ? 'true_false' : 'short_answer'
}

const readQuestion = (fields: Fields, index: number): QuestionDraft => {
  const path = ['quiz', 'questions', index] as const
  onlyKnown(fields, path, QUESTION)
  const options = readOptions(fields, path)
  const several = Array.from({ length: lengthAt(fields, [...path, 'answers']) }, (_, n) => textAt(fields, [...path, 'answers', n]))
  const answers = [textAt(fields, [...path, 'answer']), ...several].filter((answer) => answer !== '')
  return {
    type: oneOfAt(fields, [...path, 'type'], QUESTION_TYPES, kindOf(answers, options)),
    question: textAt(fields, [...path, 'question'], '', 2000),
    options,
    answers,
    points: numberAt(fields, [...path, 'points'], { most: 1000 }) ?? 1,
    explanation: textAt(fields, [...path, 'explanation']),
    line: fields.lineOf(...path),
  }
}

/** Reads the `quiz` field of a page: settings, and questions unless they are in another file. */
export const readQuizFields = (fields: Fields): QuizDraft => {
  onlyKnown(fields, ['quiz'], [...SETTINGS, 'questions', 'file'])
  const questions = Array.from({ length: lengthAt(fields, ['quiz', 'questions']) }, (_, index) => readQuestion(fields, index))
  return { settings: readQuizSettings(fields), questions }
}
