import { useMutation, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { ChevronLeft } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { client } from '../../lib/client.ts'
import { errorMessage } from '../../lib/optimistic.ts'
import { fullDateTime } from '../../lib/time.ts'
import { Avatar } from '../../ui/avatar.tsx'
import back from '../../ui/back-link.module.css'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { ErrorMessage } from '../../ui/error-message.tsx'
import { TextArea, TextField } from '../../ui/field.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { QueryState } from '../../ui/query-state.tsx'
import { toast } from '../../ui/toasts.tsx'
import { courseQuery, type QuizDetail, refreshCourse } from '../courses/queries.ts'
import { useDurationText } from '../courses/quiz/duration.ts'
import { submissionQuery } from './queries.ts'
import style from './teaching.module.css'

const route = getRouteApi('/members/teaching/$slug/results/$attempt')
type Submission = Awaited<ReturnType<typeof client.adminQuizzes.show>>

const textOf = (detail: QuizDetail, answer: QuizDetail['your_answer'] | undefined): string => {
  const given = answer === null || answer === undefined ? [] : Array.isArray(answer) ? answer : [answer]
  return given.map((each) => detail.options.find(({ id }) => id === each)?.text ?? each).join('\n')
}

interface AnswerProps {
  readonly detail: QuizDetail
  readonly place: number
  readonly points: string
  readonly onPoints: (points: string) => void
}

const AnswerCard = ({ detail, place, points, onPoints }: AnswerProps) => {
  const { t } = useTranslation('teaching')
  const key = textOf(detail, detail.correct_answer)
  const waits = detail.is_correct === null
  return (
    <Card className={style.question} aria-label={t('quiz.questionNumber', { position: place })}>
      <h2 className={style.soft}>{t('quiz.questionNumber', { position: place })}</h2>
      <p className={style.asked}>{detail.question}</p>
      <p className={style.answer}>{textOf(detail, detail.your_answer) || t('grade.noAnswer')}</p>
      {key && <p className={style.soft}>{t('grade.correctAnswer', { answer: key.split('\n').join(', ') })}</p>}
      {waits && <p className={style.waits}>{t('grade.pending')}</p>}
      <TextField
        label={t('grade.points', { position: place, total: detail.points_possible })}
        type="number"
        min={0}
        max={detail.points_possible}
        value={points}
        onChange={(event) => onPoints(event.currentTarget.value)}
      />
    </Card>
  )
}

const GradingForm = ({ courseId, submission }: { readonly courseId: number; readonly submission: Submission }) => {
  const { t } = useTranslation('teaching')
  const span = useDurationText()
  const { quiz_result: result, detailed_results: details } = submission
  const [points, setPoints] = useState<Readonly<Record<string, string>>>({})
  const [feedback, setFeedback] = useState<string | null>(null)
  const shownPoints = (detail: QuizDetail) =>
    points[detail.question_id] ?? (detail.points_earned === null ? '' : String(detail.points_earned))
  const save = useMutation({
    mutationFn: () => {
      const answers = Object.fromEntries(
        details
          .filter(({ question_id: id }) => points[id] !== undefined && points[id] !== '')
          .map(
            ({ question_id: id, points_possible: most }) =>
              [id, { points: Number(points[id]), is_correct: Number(points[id]) >= most }] as const,
          ),
      )
      return client.adminQuizzes.grade({
        course_id: courseId,
        quiz_id: result.id,
        ...(Object.keys(answers).length > 0 && { answers }),
        ...(feedback !== null && { feedback }),
      })
    },
    onSuccess: async ({ quiz_result }) => {
      toast(t('grade.saved', { value: quiz_result.score }))
      setPoints({})
      await refreshCourse()
    },
  })
  const state = result.status === 'completed' ? 'waits' : result.passed ? 'passed' : 'failed'
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save.mutate()
  }
  return (
    <form className={style.form} onSubmit={submit}>
      <Card className={style.head}>
        <span className={style.person}>
          <Avatar name={result.xprofile.display_name} src={result.xprofile.avatar} />
          <span>
            <PageTitle>{result.xprofile.display_name}</PageTitle>
            <h1>{result.xprofile.display_name}</h1>
            <span className={style.soft}>
              {t('result.attempt', { number: result.attempt_number })} · {fullDateTime(result.submitted_at)}
              {result.time_spent > 0 && ` · ${span(result.time_spent)}`}
              {result.late && ` · ${t('result.late')}`}
            </span>
          </span>
        </span>
        <strong className={state === 'waits' ? style.waits : state === 'passed' ? style.passed : ''}>
          {t('percent', { value: result.score })} · {t(`result.${state}`)}
        </strong>
      </Card>
      {details.map((detail, n) => (
        <AnswerCard
          key={detail.question_id}
          detail={detail}
          place={n + 1}
          points={shownPoints(detail)}
          onPoints={(value) => setPoints((before) => ({ ...before, [detail.question_id]: value }))}
        />
      ))}
      <Card className={style.form}>
        <TextArea
          label={t('grade.feedback')}
          hint={t('grade.feedbackHint')}
          value={feedback ?? result.feedback}
          onChange={(event) => setFeedback(event.currentTarget.value)}
        />
        {result.graded_by && <p className={style.soft}>{t('grade.by', { name: result.graded_by.display_name })}</p>}
      </Card>
      <div className={style.bar}>
        {save.isError && <ErrorMessage>{errorMessage(save.error)}</ErrorMessage>}
        <Button kind="primary" type="submit" busy={save.isPending}>
          {t('grade.save')}
        </Button>
      </div>
    </form>
  )
}

const Shown = ({ courseId, attempt }: { readonly courseId: number; readonly attempt: number }) => {
  const submission = useQuery(submissionQuery(courseId, attempt))
  if (!submission.data) return <QueryState query={submission} lines={8} />
  return <GradingForm courseId={courseId} submission={submission.data} />
}

/** A submission with the correct answers, where short answers are graded. */
export const GradingPage = () => {
  const { t } = useTranslation('teaching')
  const { slug, attempt } = route.useParams()
  const course = useQuery(courseQuery(slug))
  return (
    <div className={style.page}>
      <Link to="/teaching/$slug/results" params={{ slug }} search={{}} className={back.link}>
        <ChevronLeft aria-hidden="true" /> {t('tab.results')}
      </Link>
      <QueryState query={course} lines={8} />
      {course.data && <Shown courseId={course.data.id} attempt={Number(attempt)} />}
    </div>
  )
}
