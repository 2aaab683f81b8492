import type { Inputs } from '@lyceum/sdk'
import type { QuizInfo } from '../../courses/queries.ts'

export const KINDS = ['multiple_choice', 'multiple_select', 'true_false', 'short_answer'] as const
export type Kind = (typeof KINDS)[number]

export interface DraftOption {
  readonly id: string
  readonly text: string
  readonly is_correct: boolean
}

export interface DraftQuestion {
  readonly id: string
  readonly type: Kind
  readonly question: string
  readonly options: readonly DraftOption[]
  readonly correct_answer: string
  readonly points: number
  readonly explanation: string
}

export interface QuizDraft {
  readonly settings: QuizInfo['settings']
  readonly questions: readonly DraftQuestion[]
}

const newId = () => crypto.randomUUID().slice(0, 8)

export const newOption = (): DraftOption => ({ id: newId(), text: '', is_correct: false })

/** The two options of a true/false question, translated for the author. */
const trueFalse = (words: readonly [string, string]): DraftOption[] => [
  { id: 'true', text: words[0], is_correct: true },
  { id: 'false', text: words[1], is_correct: false },
]

const optionsFor = (type: Kind, words: readonly [string, string]): readonly DraftOption[] =>
  type === 'short_answer' ? [] : type === 'true_false' ? trueFalse(words) : [newOption(), newOption()]

export const newQuestion = (type: Kind, words: readonly [string, string]): DraftQuestion => ({
  id: newId(),
  type,
  question: '',
  options: optionsFor(type, words),
  correct_answer: '',
  points: 1,
  explanation: '',
})

const choosing = (type: Kind) => type === 'multiple_choice' || type === 'multiple_select'

/** Changes the type of a question. Options are kept if both types have them. */
export const withType = (question: DraftQuestion, type: Kind, words: readonly [string, string]): DraftQuestion => {
  if (!choosing(type) || !choosing(question.type)) return { ...question, type, options: optionsFor(type, words), correct_answer: '' }
  const first = question.options.find(({ is_correct }) => is_correct)
  const options =
    type === 'multiple_choice' ? question.options.map((option) => ({ ...option, is_correct: option.id === first?.id })) : question.options
  return { ...question, type, options }
}

const UNWRITTEN: Pick<QuizInfo, 'settings' | 'questions'> = {
  settings: { passing_score: 70, max_attempts: 0, time_limit: 0, show_correct_answers: true, randomize_questions: false },
}

export const draftOf = ({ settings, questions = [] }: Pick<QuizInfo, 'settings' | 'questions'> = UNWRITTEN): QuizDraft => ({
  settings,
  questions: questions.map((question) => ({ ...question, correct_answer: question.correct_answer ?? '' })),
})

export const inputOf = ({ settings, questions }: QuizDraft): NonNullable<Inputs['lessons']['update']['quiz']> => ({
  settings,
  questions: questions.map(({ options, correct_answer, type, ...rest }) => ({
    ...rest,
    type,
    ...(type === 'short_answer'
      ? { correct_answer: correct_answer.trim() || null }
      : { options: options.filter(({ text }) => text.trim() !== '').map((option) => ({ ...option })) }),
  })),
})
