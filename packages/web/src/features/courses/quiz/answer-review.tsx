import { Check, CircleDashed, X } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { QuizDetail } from '../queries.ts'
import style from './quiz.module.css'

const listOf = (answer: QuizDetail['your_answer'] | undefined): readonly string[] =>
  answer === null || answer === undefined ? [] : Array.isArray(answer) ? answer : [answer]

const Option = ({ detail, id, text }: { readonly detail: QuizDetail; readonly id: string; readonly text: string }) => {
  const { t } = useTranslation('courses')
  const chosen = listOf(detail.your_answer).includes(id)
  const known = detail.correct_answer !== undefined
  const right = known && listOf(detail.correct_answer).includes(id)
  return (
    <li
      className={style.option}
      data-chosen={chosen || undefined}
      data-right={right || undefined}
      data-wrong={(known && chosen && !right) || undefined}
    >
      {right ? <Check aria-hidden="true" /> : chosen && known ? <X aria-hidden="true" /> : <CircleDashed aria-hidden="true" />}
      <span>{text}</span>
      {chosen && <span className={style.tag}>{t('quiz.yourAnswer')}</span>}
      {right && <span className={style.tag}>{t('quiz.correctAnswer')}</span>}
    </li>
  )
}

const Written = ({ detail }: { readonly detail: QuizDetail }) => {
  const { t } = useTranslation('courses')
  const key = listOf(detail.correct_answer).join('\n')
  return (
    <dl className={style.writtenAnswer}>
      <dt>{t('quiz.yourAnswer')}</dt>
      <dd>{listOf(detail.your_answer).join(', ') || t('quiz.noAnswer')}</dd>
      {key && (
        <>
          <dt>{t('quiz.correctAnswer')}</dt>
          <dd>{key.split('\n').join(` ${t('or')} `)}</dd>
        </>
      )}
    </dl>
  )
}

/** The review of one answer, as far as the quiz shows it. */
export const AnswerReview = ({ detail, place }: { readonly detail: QuizDetail; readonly place: number }) => {
  const { t } = useTranslation('courses')
  const { is_correct: isCorrect, points_earned: earned } = detail
  const verdict = isCorrect === undefined ? '' : isCorrect === null ? 'waits' : isCorrect ? 'right' : 'wrong'
  return (
    <li className={style.detail} data-verdict={verdict || undefined}>
      <h3>
        <span className={style.place}>{t('quiz.questionNumber', { position: place })}</span>
        <span className={style.asked}>{detail.question}</span>
      </h3>
      <p className={style.about}>
        {verdict && <strong className={style.verdict}>{t(`quiz.verdict.${verdict}`)}</strong>}
        {verdict && ' · '}
        {earned === null
          ? t('quiz.points', { count: detail.points_possible })
          : t('quiz.earned', { earned, count: detail.points_possible })}
      </p>
      {detail.type === 'short_answer' ? (
        <Written detail={detail} />
      ) : (
        <ul className={style.options}>
          {detail.options.map(({ id, text }) => (
            <Option key={id} detail={detail} id={id} text={text} />
          ))}
        </ul>
      )}
      {detail.explanation && <p className={style.explanation}>{detail.explanation}</p>}
    </li>
  )
}
