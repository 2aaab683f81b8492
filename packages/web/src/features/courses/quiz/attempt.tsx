import { useMutation } from '@tanstack/react-query'
import { Send } from 'lucide-react'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { client } from '../../../lib/client.ts'
import { errorMessage } from '../../../lib/optimistic.ts'
import { useMe } from '../../../lib/session.ts'
import { toDate } from '../../../lib/time.ts'
import { Button } from '../../../ui/button.tsx'
import { Confirm } from '../../../ui/confirm.tsx'
import { ErrorMessage } from '../../../ui/error-message.tsx'
import { Progress } from '../../../ui/progress.tsx'
import { type Attempt, type LessonDetail, refreshCourse } from '../queries.ts'
import { clearAnswers, type DraftAnswers, loadAnswers, saveAnswers } from './answer-draft.ts'
import { Countdown } from './countdown.tsx'
import { QuestionField } from './question.tsx'
import style from './quiz.module.css'

/** Placeholder of a missing answer when time runs out, because the API requires an answer to each question. */
const NOTHING = '–'

interface Props {
  readonly lesson: LessonDetail
  readonly attempt: Attempt
  /** Milliseconds the server's clock is ahead of this device. */
  readonly ahead: number
  readonly onDone: () => void
}

const isAnswered = (answer: DraftAnswers[string] | undefined) =>
  typeof answer === 'string' ? answer.trim() !== '' : (answer?.length ?? 0) > 0

/** An attempt in progress: questions, countdown and submission. */
export const QuizAttempt = ({ lesson, attempt, ahead, onDone }: Props) => {
  const { t } = useTranslation('courses')
  const me = useMe()
  const heading = useRef<HTMLHeadingElement>(null)
  const [given, setGiven] = useState<DraftAnswers>(() => {
    const kept = loadAnswers(me.user_id, lesson.id)
    return kept?.attempt === attempt.id ? kept.given : {}
  })
  const [checked, setChecked] = useState(false)
  const [asking, setAsking] = useState(false)
  const missing = attempt.questions.filter(({ id }) => !isAnswered(given[id]))
  const answered = attempt.questions.length - missing.length

  const handIn = useMutation({
    mutationFn: (isUp: boolean) => {
      const blank = isUp ? Object.fromEntries(missing.map(({ id }) => [id, NOTHING])) : {}
      const spent = Math.max(0, Math.round((Date.now() + ahead - toDate(attempt.started_at).getTime()) / 1000))
      return client.quizzes.submit(
        { course_id: lesson.course_id, lesson_id: lesson.id, attempt_id: attempt.id, time_spent: spent, answers: { ...given, ...blank } },
        { idempotencyKey: `quiz-${attempt.id}-${isUp ? 'up' : crypto.randomUUID()}` },
      )
    },
    // Time keeps running while the server is unreachable.
    retry: (failures, error) => failures < 5 && error instanceof TypeError,
    onSuccess: async () => {
      clearAnswers(me.user_id, lesson.id)
      await refreshCourse()
      onDone()
    },
  })

  useEffect(() => {
    saveAnswers(me.user_id, lesson.id, { attempt: attempt.id, given })
  }, [given, me.user_id, lesson.id, attempt.id])
  useEffect(() => heading.current?.focus(), [])

  const submit = (event: FormEvent) => {
    event.preventDefault()
    const [first] = missing
    if (!first) return setAsking(true)
    setChecked(true)
    document.querySelector<HTMLElement>(`#${CSS.escape(`question-${first.id}`)} :is(input, textarea)`)?.focus()
  }
  return (
    <form className={style.run} onSubmit={submit} aria-labelledby="quiz-title">
      <div className={style.bar}>
        <h2 id="quiz-title" ref={heading} tabIndex={-1}>
          {t('quiz.attempt', { number: attempt.attempt_number })}
        </h2>
        {attempt.expires_at && <Countdown until={toDate(attempt.expires_at).getTime() - ahead} onUp={() => handIn.mutate(true)} />}
        <div className={style.far}>
          <Progress
            value={Math.round((answered * 100) / Math.max(1, attempt.questions.length))}
            label={t('quiz.answeredLabel')}
            text={t('doneOf', { done: answered, total: attempt.questions.length })}
          />
        </div>
      </div>
      <ol className={style.questions}>
        {attempt.questions.map((question, n) => (
          <li key={question.id}>
            <QuestionField
              question={question}
              place={n + 1}
              answer={given[question.id]}
              missing={checked && !isAnswered(given[question.id])}
              onAnswer={(answer) => setGiven((before) => ({ ...before, [question.id]: answer }))}
            />
          </li>
        ))}
      </ol>
      {checked && missing.length > 0 && <ErrorMessage>{t('quiz.unansweredCount', { count: missing.length })}</ErrorMessage>}
      {handIn.isError && <ErrorMessage>{errorMessage(handIn.error)}</ErrorMessage>}
      <div className={style.acts}>
        <Button kind="primary" type="submit" icon={<Send aria-hidden="true" />} busy={handIn.isPending}>
          {t('quiz.submit')}
        </Button>
        <p className={style.soft}>{t('quiz.saved')}</p>
      </div>
      {asking && !handIn.isPending && (
        <Confirm
          title={t('quiz.submitTitle')}
          action={t('quiz.submit')}
          danger={false}
          onConfirm={() => handIn.mutateAsync(false)}
          onClose={() => setAsking(false)}
        >
          <p>{t('quiz.submitText')}</p>
        </Confirm>
      )}
    </form>
  )
}
