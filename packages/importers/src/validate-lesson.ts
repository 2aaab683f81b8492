import { LESSON_CONTENT_BYTES, LESSON_RESOURCES, QUIZ_LIMITS } from '@lyceum/contract'
import type { LessonDraft, QuestionDraft } from './course-model.ts'
import type { Report } from './report.ts'

const characters = (text: string) => [...text].length

const troubleOf = ({ type, question, options, answers, explanation }: QuestionDraft): string | null => {
  const right = options.filter(({ is_correct }) => is_correct).length
  if (question === '') return 'the question has no text'
  if (characters(question) > QUIZ_LIMITS.question) return `a question has at most ${QUIZ_LIMITS.question} characters`
  if (characters(explanation) > QUIZ_LIMITS.explanation) return `an explanation has at most ${QUIZ_LIMITS.explanation} characters`
  if (type === 'true_false')
    return ['true', 'false'].includes(answers[0] ?? '') && options.length === 0 ? null : 'needs "answer: true" or "answer: false"'
  if (type === 'short_answer') {
    if (options.length > 0) return 'a short_answer has no options'
    return characters(answers.join('\n')) > QUIZ_LIMITS.correctAnswer
      ? `its answers have more than ${QUIZ_LIMITS.correctAnswer} characters`
      : null
  }
  if (answers.length > 0) return 'mark its correct options with "correct: true", not with an answer'
  if (options.length < 2) return 'needs at least two options'
  if (options.length > QUIZ_LIMITS.options) return `has more than ${QUIZ_LIMITS.options} options`
  if (options.some(({ text }) => text === '')) return 'an option has no text'
  if (options.some(({ text }) => characters(text) > QUIZ_LIMITS.option)) return `an option has at most ${QUIZ_LIMITS.option} characters`
  if (new Set(options.map(({ text }) => text)).size < options.length) return 'two of its options are the same'
  if (right === 0) return 'no option is marked as correct'
  return right > 1 && type === 'multiple_choice' ? 'several options are marked as correct, but only one can be chosen' : null
}

/** Reports violations of the API limits, with file and line, before anything is stored. */
export const checkLesson = ({ file, quiz, content, resources }: LessonDraft, report: Report): void => {
  if (Buffer.byteLength(content.text) > LESSON_CONTENT_BYTES)
    report.error(file, null, `a lesson has at most ${LESSON_CONTENT_BYTES} bytes of text`)
  if (resources.length > LESSON_RESOURCES) report.error(file, null, `a lesson has at most ${LESSON_RESOURCES} resources`)
  if (!quiz) return
  if (quiz.questions.length > QUIZ_LIMITS.questions)
    report.error(file, null, `a quiz has at most ${QUIZ_LIMITS.questions} questions: this one has ${quiz.questions.length}`)
  for (const question of quiz.questions) {
    const trouble = troubleOf(question)
    if (trouble) report.error(question.file ?? file, question.line, trouble)
  }
}
