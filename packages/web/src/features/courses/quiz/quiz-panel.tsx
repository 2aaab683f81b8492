import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { client } from '../../../lib/client.ts'
import { errorMessage } from '../../../lib/optimistic.ts'
import { useMe } from '../../../lib/session.ts'
import { Failure, Skeleton } from '../../../ui/feedback.tsx'
import { type Attempt, type CourseDetail, type Lesson, type LessonDetail, lessonQuery, resultQuery } from '../queries.ts'
import { clearAnswers, loadAnswers } from './answer-draft.ts'
import { QuizAttempt } from './attempt.tsx'
import { QuizResults } from './results.tsx'
import { QuizStartScreen } from './start-screen.tsx'

interface Props {
  readonly course: CourseDetail
  readonly lesson: LessonDetail
  readonly next: Lesson | undefined
}

interface Running {
  readonly attempt: Attempt
  readonly ahead: number
}

/** Clock offset to the server, from its reported time. */
const aheadBy = (headers: Headers): number => {
  const theirs = Date.parse(headers.get('date') ?? '')
  return Number.isNaN(theirs) ? 0 : theirs - Date.now()
}

/** A quiz: its rules, an attempt in progress, or a result. */
export const QuizPanel = ({ course, lesson, next }: Props) => {
  const { t } = useTranslation('courses')
  const me = useMe()
  const [running, setRunning] = useState<Running | null>(null)
  const [shown, setShown] = useState<{ readonly attempt: string; readonly fresh: boolean } | null>(null)
  const [returned, setReturned] = useState(false)
  const [came] = useState(() => loadAnswers(me.user_id, lesson.id) !== null)
  // With a stored draft, the number of submitted attempts must be current.
  const asked = useQuery({ ...lessonQuery(lesson.course_id, lesson.id), enabled: came, staleTime: 0 })
  const used = course.is_enrolled ? (lesson.quiz?.attempts_used ?? 0) : 0
  const latest = useQuery({ ...resultQuery(lesson.course_id, lesson.id), enabled: used > 0, staleTime: 0 })
  const start = useMutation({
    mutationFn: () => client.quizzes.start.answer({ course_id: lesson.course_id, lesson_id: lesson.id }),
    onSuccess: ({ body, headers }) => setRunning({ attempt: body.data, ahead: aheadBy(headers) }),
  })
  const { mutate } = start
  const handedIn = used === 0 ? 0 : latest.isFetchedAfterMount ? latest.data?.quiz_result.id : undefined
  // Resume an attempt in progress, because its timer kept running,
  // unless it was submitted on another device.
  useEffect(() => {
    const kept = loadAnswers(me.user_id, lesson.id)
    if (!kept || !asked.isFetchedAfterMount || handedIn === undefined) return
    if (kept.attempt > handedIn) mutate()
    else clearAnswers(me.user_id, lesson.id)
  }, [asked.isFetchedAfterMount, handedIn, me.user_id, lesson.id, mutate])

  const back = () => {
    setReturned(true)
    setShown(null)
  }
  if (running)
    return (
      <QuizAttempt
        lesson={lesson}
        {...running}
        onDone={() => {
          setRunning(null)
          setShown({ attempt: 'latest', fresh: true })
        }}
      />
    )
  if (shown) return <QuizResults course={course} lesson={lesson} attempt={shown.attempt} fresh={shown.fresh} next={next} onBack={back} />
  if (!lesson.quiz) return <p>{t('quiz.empty')}</p>
  if (used > 0 && latest.isPending) return <Skeleton lines={5} />
  if (latest.isError) return <Failure error={latest.error} onRetry={() => latest.refetch()} />
  return (
    <QuizStartScreen
      course={course}
      lesson={lesson}
      quiz={lesson.quiz}
      latest={latest.data ?? null}
      returned={returned}
      busy={start.isPending}
      refusal={start.isError ? errorMessage(start.error) : ''}
      onStart={() => mutate()}
      onShow={(attempt) => setShown({ attempt, fresh: false })}
    />
  )
}
