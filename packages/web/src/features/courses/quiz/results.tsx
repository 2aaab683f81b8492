import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ArrowRight, CircleCheckBig, CircleX, Hourglass } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { fullDateTime } from '../../../lib/time.ts'
import button from '../../../ui/button.module.css'
import { Button } from '../../../ui/button.tsx'
import { QueryState } from '../../../ui/query-state.tsx'
import { type CourseDetail, type Lesson, type LessonDetail, resultQuery } from '../queries.ts'
import { AnswerReview } from './answer-review.tsx'
import { useDurationText } from './duration.ts'
import style from './quiz.module.css'

interface Props {
  readonly course: CourseDetail
  readonly lesson: LessonDetail
  readonly attempt: string
  readonly next: Lesson | undefined
  /** Whether the user has just submitted the attempt. */
  readonly fresh: boolean
  readonly onBack: () => void
}

const ICONS = { passed: CircleCheckBig, failed: CircleX, waits: Hourglass }

/** The result of an attempt: score and, if the quiz allows it, each question. */
export const QuizResults = ({ course, lesson, attempt, next, fresh, onBack }: Props) => {
  const { t } = useTranslation('courses')
  const span = useDurationText()
  const heading = useRef<HTMLHeadingElement>(null)
  const result = useQuery(resultQuery(lesson.course_id, lesson.id, attempt))
  const there = result.isSuccess
  useEffect(() => {
    if (there) heading.current?.focus()
  }, [there])
  if (!result.data) return <QueryState query={result} lines={6} />
  const { quiz_result: outcome, quiz_settings: rules, detailed_results: details } = result.data
  const state = outcome.status === 'completed' ? 'waits' : outcome.passed ? 'passed' : 'failed'
  const Icon = ICONS[state]
  return (
    <section className={style.results} aria-labelledby="result-title">
      <header className={style.outcome} data-state={state}>
        <Icon aria-hidden="true" />
        <div>
          <h2 id="result-title" ref={heading} tabIndex={-1}>
            {t(`quiz.outcome.${state}`)}
          </h2>
          <p>
            <strong className={style.score}>{t('percent', { value: outcome.score })}</strong>{' '}
            {t('quiz.required', { value: outcome.passing_score })}
          </p>
          <p className={style.about}>
            {t('quiz.correctOf', { count: outcome.correct_answers, total: outcome.total_questions })}
            {outcome.time_spent > 0 && ` · ${span(outcome.time_spent)}`} · {fullDateTime(outcome.submitted_at)}
          </p>
          {outcome.late && <p className={style.late}>{t('quiz.late')}</p>}
        </div>
      </header>
      {outcome.feedback && <p className={style.feedback}>{outcome.feedback}</p>}
      {!rules.show_correct_answers && <p className={style.soft}>{t('quiz.hidden')}</p>}
      {details.length > 0 && (
        <ol className={style.details}>
          {details.map((detail, n) => (
            <AnswerReview key={detail.question_id} detail={detail} place={n + 1} />
          ))}
        </ol>
      )}
      <div className={style.acts}>
        {fresh && outcome.passed && next && (
          <Link
            to="/courses/$slug/lessons/$lesson"
            params={{ slug: course.slug, lesson: next.slug }}
            className={`${button.button} ${button.primary}`}
          >
            {t('next')} <ArrowRight aria-hidden="true" />
          </Link>
        )}
        <Button onClick={onBack}>{t(rules.can_retake ? 'quiz.backRetake' : 'quiz.back')}</Button>
      </div>
    </section>
  )
}
