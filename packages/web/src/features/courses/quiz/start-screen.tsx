import { useQueries } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Check, Play } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { fullDateTime, relativeTime } from '../../../lib/time.ts'
import button from '../../../ui/button.module.css'
import { Button } from '../../../ui/button.tsx'
import { ErrorMessage } from '../../../ui/error-message.tsx'
import { setCompletion } from '../actions.ts'
import { type CourseDetail, type LessonDetail, type QuizInfo, type QuizResult, resultQuery } from '../queries.ts'
import { useDurationText } from './duration.ts'
import style from './quiz.module.css'

/** Maximum number of attempts listed, newest first. */
const MOST = 10

const History = ({
  lesson,
  count,
  onShow,
}: {
  readonly lesson: LessonDetail
  readonly count: number
  readonly onShow: (attempt: string) => void
}) => {
  const { t } = useTranslation('courses')
  const numbers = Array.from({ length: Math.min(count, MOST) }, (_, n) => count - n)
  const results = useQueries({ queries: numbers.map((n) => resultQuery(lesson.course_id, lesson.id, String(n))) })
  return (
    <section className={style.history} aria-labelledby="history">
      <h2 id="history">{t('quiz.history')}</h2>
      <ul>
        {results.map(({ data }, n) => {
          if (!data) return null
          const { quiz_result: outcome } = data
          const state = outcome.status === 'completed' ? 'waits' : outcome.passed ? 'passed' : 'failed'
          return (
            <li key={outcome.id}>
              <button type="button" className={style.past} onClick={() => onShow(String(numbers[n]))}>
                <span>
                  <strong>{t('quiz.attempt', { number: outcome.attempt_number })}</strong>
                  <span className={style.about} title={fullDateTime(outcome.submitted_at)}>
                    {relativeTime(outcome.submitted_at)}
                  </span>
                </span>
                <span className={style.mark} data-state={state}>
                  {t(`quiz.state.${state}`)} · {t('percent', { value: outcome.score })}
                </span>
              </button>
            </li>
          )
        })}
      </ul>
    </section>
  )
}

interface Props {
  readonly course: CourseDetail
  readonly lesson: LessonDetail
  readonly quiz: QuizInfo
  readonly latest: QuizResult | null
  /** Whether the user comes back from a result. */
  readonly returned: boolean
  readonly busy: boolean
  readonly refusal: string
  readonly onStart: () => void
  readonly onShow: (attempt: string) => void
}

/** Rules of a quiz and earlier attempts. */
export const QuizStartScreen = ({ course, lesson, quiz, latest, returned, busy, refusal, onStart, onShow }: Props) => {
  const { t } = useTranslation('courses')
  const span = useDurationText()
  const top = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (returned) top.current?.focus()
  }, [returned])
  const { settings } = quiz
  const used = latest?.quiz_settings.attempts_used ?? 0
  const left = settings.max_attempts > 0 ? Math.max(0, settings.max_attempts - used) : null
  const open = !latest || latest.quiz_settings.can_retake
  const waits = latest?.quiz_result.status === 'completed'
  const rules = [
    [t('quiz.rule.questions'), String(quiz.total_questions)],
    [t('quiz.rule.pass'), t('percent', { value: settings.passing_score })],
    [t('quiz.rule.time'), settings.time_limit > 0 ? span(settings.time_limit) : t('quiz.rule.noLimit')],
    [
      t('quiz.rule.attempts'),
      left === null ? t('quiz.rule.unlimited') : t('quiz.rule.left', { count: left, total: settings.max_attempts }),
    ],
  ]
  return (
    <div className={style.intro} ref={top} tabIndex={-1}>
      <dl className={style.rules}>
        {rules.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <ul className={style.notes}>
        {settings.time_limit > 0 && <li>{t('quiz.note.time')}</li>}
        <li>{t(settings.show_correct_answers ? 'quiz.note.shown' : 'quiz.note.hidden')}</li>
        <li>{t('quiz.note.all')}</li>
      </ul>
      {!course.is_enrolled ? (
        <Link to="/courses/$slug" params={{ slug: course.slug }} className={`${button.button} ${button.plain}`}>
          {t('quiz.enrollFirst')}
        </Link>
      ) : open && quiz.total_questions > 0 ? (
        <Button kind="primary" icon={<Play aria-hidden="true" />} busy={busy} onClick={onStart}>
          {t(latest ? 'quiz.again' : 'quiz.start')}
        </Button>
      ) : (
        <p className={style.closed}>
          {t(
            quiz.total_questions === 0
              ? 'quiz.empty'
              : waits
                ? 'quiz.pendingGrading'
                : latest?.quiz_result.passed || lesson.is_completed
                  ? 'quiz.passed'
                  : 'quiz.noAttemptsLeft',
          )}
        </p>
      )}
      {/* A quiz stays passed after the course progress was reset. */}
      {latest?.quiz_result.passed && !open && !waits && !lesson.is_completed && (
        <Button kind="primary" icon={<Check aria-hidden="true" />} onClick={() => setCompletion(course, lesson, true)}>
          {t('mark')}
        </Button>
      )}
      <ErrorMessage>{refusal}</ErrorMessage>
      {latest && <History lesson={lesson} count={latest.quiz_result.attempt_number} onShow={onShow} />}
    </div>
  )
}
