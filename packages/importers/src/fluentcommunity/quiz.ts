import type { ArchiveRecord } from '@lyceum/contract/archive'
import { at, flagAt, itemsAt, numberAt, type PhpValue, textAt } from '../wordpress/index.ts'

type Quiz = NonNullable<ArchiveRecord<'lessons'>['quiz']>

const TYPES: Readonly<Record<string, string>> = {
  single_choice: 'multiple_choice',
  multiple_choice: 'multiple_select',
  true_false: 'true_false',
  written_answer: 'short_answer',
  short_answer: 'short_answer',
}

const optionsOf = (question: PhpValue) =>
  itemsAt(question, 'options').map((option, index) => ({
    id: `o${index + 1}`,
    text: textAt(option, 'label') || `${index + 1}`,
    is_correct: flagAt(option, 'is_correct'),
  }))

const questionOf = (question: PhpValue, index: number): Record<string, unknown> => {
  const options = optionsOf(question)
  const type = TYPES[textAt(question, 'type')] ?? (options.length > 0 ? 'multiple_choice' : 'short_answer')
  const answers = itemsAt(question, 'correct_answers').flatMap((answer) =>
    typeof answer === 'string' && answer.trim() ? [answer.trim()] : [],
  )
  return {
    id: textAt(question, 'slug') || `q${index + 1}`,
    type,
    question: textAt(question, 'label'),
    options: type === 'short_answer' ? [] : options,
    // Without accepted answers, answers are graded manually.
    correct_answer: type === 'short_answer' && answers.length > 0 ? answers.join('\n') : null,
    points: 1,
    explanation: textAt(question, 'help_text'),
  }
}

const isEnabled = (question: PhpValue): boolean => at(question, 'enabled') === undefined || flagAt(question, 'enabled')

/** The quiz of a lesson; null if it has no questions. */
export const quizOf = (meta: PhpValue): Quiz | null => {
  const questions = itemsAt(meta, 'quiz_questions').filter(isEnabled).map(questionOf)
  if (questions.length === 0) return null
  const passing = flagAt(meta, 'enable_passing_score') ? (numberAt(meta, 'passing_score') ?? 0) : 0
  return {
    questions,
    passing_score: Math.min(100, Math.max(0, Math.round(passing))),
    max_attempts: 0,
    time_limit: 0,
    show_correct_answers: !flagAt(meta, 'hide_result'),
    randomize_questions: false,
  }
}
