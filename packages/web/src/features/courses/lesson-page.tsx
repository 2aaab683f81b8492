import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { Award, ChevronLeft, ListTree, PencilRuler } from 'lucide-react'
import { lazy, Suspense, useCallback, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import button from '../../ui/button.module.css'
import { IconButton } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Drawer } from '../../ui/drawer.tsx'
import { Empty, Skeleton } from '../../ui/feedback.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { Progress } from '../../ui/progress.tsx'
import { QueryState } from '../../ui/query-state.tsx'
import { LessonBody } from './lesson-body.tsx'
import { LessonFooter } from './lesson-footer.tsx'
import { useLessonKeys } from './lesson-keys.ts'
import style from './lesson-page.module.css'
import { lessonsInOrder, Outline } from './outline.tsx'
import { type CourseDetail, courseQuery, type Lesson, lessonQuery, lessonsQuery } from './queries.ts'

const route = getRouteApi('/members/courses/$slug/lessons/$lesson')
const LessonComments = lazy(() => import('./lesson-comments.tsx').then((module) => ({ default: module.LessonComments })))

interface Props {
  readonly course: CourseDetail
  readonly lessons: readonly Lesson[]
  readonly listed: Lesson
}

const Shown = ({ course, lessons, listed }: Props) => {
  const { t } = useTranslation('courses')
  const navigate = useNavigate()
  const lesson = useQuery(lessonQuery(course.id, listed.id))
  const heading = useRef<HTMLHeadingElement>(null)
  const ordered = lessonsInOrder(course, lessons)
  const place = ordered.findIndex(({ id }) => id === listed.id)
  const previous = place > 0 ? ordered[place - 1] : undefined
  const next = place >= 0 ? ordered[place + 1] : undefined
  const todo = ordered.find(({ is_locked, is_completed, id }) => !is_locked && !is_completed && id !== listed.id)
  // A quiz without questions, or with quizzes disabled, is completed like a lesson.
  const byPassing = listed.type === 'quiz' && (!lesson.data || Boolean(lesson.data.quiz?.total_questions))
  const go = useCallback(
    (to: Lesson | undefined) =>
      to && void navigate({ to: '/courses/$slug/lessons/$lesson', params: { slug: course.slug, lesson: to.slug } }),
    [navigate, course.slug],
  )
  useLessonKeys(
    useCallback(() => go(previous), [go, previous]),
    useCallback(() => go(next), [go, next]),
  )
  // Scroll to the top when coming from another lesson; a direct visit starts there anyway.
  useEffect(() => heading.current?.focus({ preventScroll: true }), [])
  return (
    <>
      <Card className={style.lesson}>
        <header className={style.head}>
          <p className={style.soft}>
            {place >= 0 ? t('lessonOf', { position: place + 1, total: ordered.length }) : t('notPublished')}
            {listed.duration && ` · ${listed.duration}`}
          </p>
          <PageTitle>{listed.title}</PageTitle>
          <h1 ref={heading} tabIndex={-1}>
            {listed.title}
          </h1>
        </header>
        <QueryState query={lesson} lines={8} />
        {lesson.data && <LessonBody course={course} lesson={lesson.data} todo={todo} next={next?.is_locked ? undefined : next} />}
      </Card>
      <LessonFooter course={course} lesson={listed} byPassing={byPassing} previous={previous} next={next} />
      {course.is_enrolled && course.progress >= 100 && (
        <Card className={style.finished}>
          <Award aria-hidden="true" />
          <div>
            <h2>{t('enroll.finished')}</h2>
            <p>{t('finishedHint')}</p>
          </div>
          <Link to="/courses/$slug/certificate" params={{ slug: course.slug }} className={`${button.button} ${button.primary}`}>
            {t('certificate.name')}
          </Link>
        </Card>
      )}
      {lesson.data?.feed_id && (
        <Suspense fallback={<Skeleton />}>
          <Card>
            <LessonComments key={lesson.data.feed_id} feedId={lesson.data.feed_id} />
          </Card>
        </Suspense>
      )}
    </>
  )
}

const Player = ({ course }: { readonly course: CourseDetail }) => {
  const { t } = useTranslation('courses')
  const { lesson: slug } = route.useParams()
  const lessons = useQuery(lessonsQuery(course.id))
  const [drawn, setDrawn] = useState(false)
  const listed = lessons.data?.find((lesson) => lesson.slug === slug || String(lesson.id) === slug)
  return (
    <>
      <header className={style.top}>
        <Link to="/courses/$slug" params={{ slug: course.slug }} className={style.back}>
          <ChevronLeft aria-hidden="true" /> <span>{course.title}</span>
        </Link>
        {course.permissions.can_manage && listed && (
          <Link
            to="/teaching/$slug/lessons/$lesson"
            params={{ slug: course.slug, lesson: String(listed.id) }}
            className={style.edit}
            aria-label={t('editLesson')}
            title={t('editLesson')}
          >
            <PencilRuler aria-hidden="true" />
          </Link>
        )}
        <IconButton label={t('outline')} className={style.opener ?? ''} onClick={() => setDrawn(true)}>
          <ListTree />
        </IconButton>
        {course.is_enrolled && (
          <div className={style.progress}>
            <Progress
              value={course.progress}
              label={t('progressOf', { title: course.title })}
              text={t('percent', { value: course.progress })}
            />
          </div>
        )}
      </header>
      <QueryState query={lessons} lines={8} />
      {lessons.data && (
        <div className={style.columns}>
          <div className={style.content}>
            {listed ? (
              <Shown key={listed.id} course={course} lessons={lessons.data} listed={listed} />
            ) : (
              <Empty title={t('noSuchLesson')}>
                <Link to="/courses/$slug" params={{ slug: course.slug }} className={`${button.button} ${button.plain}`}>
                  {t('locked.toCourse')}
                </Link>
              </Empty>
            )}
          </div>
          <nav className={style.side} aria-label={t('outline')}>
            <Outline course={course} lessons={lessons.data} level="h2" {...(listed && { current: listed.id })} />
            <p className={style.keys}>{t('keys')}</p>
          </nav>
          {drawn && (
            <Drawer title={t('outline')} onClose={() => setDrawn(false)}>
              <Outline course={course} lessons={lessons.data} onFollow={() => setDrawn(false)} {...(listed && { current: listed.id })} />
            </Drawer>
          )}
        </div>
      )}
    </>
  )
}

/** A lesson with the course outline at the side. */
export const LessonPage = () => {
  const { slug } = route.useParams()
  const course = useQuery(courseQuery(slug))
  return (
    <div className={style.page} data-wide>
      <QueryState query={course} lines={8} />
      {course.data && <Player course={course.data} />}
    </div>
  )
}
