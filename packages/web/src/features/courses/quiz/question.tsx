import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import type { Attempt } from '../queries.ts'
import type { DraftAnswers } from './answer-draft.ts'
import style from './quiz.module.css'

export type Question = Attempt['questions'][number]
type Answer = DraftAnswers[string]

interface Props {
  readonly question: Question
  readonly place: number
  readonly answer: Answer | undefined
  /** Whether to mark the question as unanswered. */
  readonly missing: boolean
  readonly onAnswer: (answer: Answer) => void
}

const Choices = ({ question, answer, onAnswer, describedBy }: Props & { readonly describedBy: string }) => {
  const name = useId()
  const several = question.type === 'multiple_select'
  const chosen = Array.isArray(answer) ? answer : answer ? [answer as string] : []
  const toggle = (id: string, on: boolean) => onAnswer(several ? (on ? [...chosen, id] : chosen.filter((each) => each !== id)) : id)
  return (
    <div className={style.choices}>
      {question.options.map(({ id, text }) => (
        <label key={id} className={style.choice}>
          <input
            type={several ? 'checkbox' : 'radio'}
            name={name}
            value={id}
            checked={chosen.includes(id)}
            aria-describedby={describedBy}
            onChange={(event) => toggle(id, event.currentTarget.checked)}
          />
          <span>{text}</span>
        </label>
      ))}
    </div>
  )
}

/** One question with its answer fields. */
export const QuestionField = (props: Props) => {
  const { question, place, answer, missing, onAnswer } = props
  const { t } = useTranslation('courses')
  const id = useId()
  const hint = question.type === 'multiple_select' ? t('quiz.selectAll') : question.type === 'short_answer' ? t('quiz.shortAnswer') : ''
  const about = `${id}-about`
  const title = (
    <>
      <span className={style.place}>{t('quiz.questionNumber', { position: place })}</span>
      <span className={style.asked}>{question.question}</span>
    </>
  )
  const words = (
    <p id={about} className={style.about} data-missing={missing || undefined}>
      {[hint, t('quiz.points', { count: question.points }), missing ? t('quiz.unanswered') : ''].filter(Boolean).join(' · ')}
    </p>
  )
  if (question.type === 'short_answer')
    return (
      <div className={style.question} id={`question-${question.id}`}>
        <label className={style.legend} htmlFor={id}>
          {title}
        </label>
        {words}
        <textarea
          id={id}
          className={style.written}
          value={typeof answer === 'string' ? answer : ''}
          aria-describedby={about}
          aria-invalid={missing || undefined}
          onChange={(event) => onAnswer(event.currentTarget.value)}
        />
      </div>
    )
  return (
    <fieldset className={style.question} id={`question-${question.id}`}>
      <legend className={style.legend}>{title}</legend>
      {words}
      <Choices {...props} describedBy={about} />
    </fieldset>
  )
}
