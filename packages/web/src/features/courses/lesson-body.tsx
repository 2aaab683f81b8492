import { Link } from '@tanstack/react-router'
import { Download, ExternalLink, LockKeyhole } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { dateOf } from '../../lib/time.ts'
import button from '../../ui/button.module.css'
import { Empty, Skeleton } from '../../ui/feedback.tsx'
import { HtmlContent } from '../../ui/html-content.tsx'
import style from './lesson-page.module.css'
import { LessonVideo } from './lesson-video.tsx'
import type { CourseDetail, Lesson, LessonDetail } from './queries.ts'

const QuizPanel = lazy(() => import('./quiz/quiz-panel.tsx').then((module) => ({ default: module.QuizPanel })))

interface Props {
  readonly course: CourseDetail
  readonly lesson: LessonDetail
  /** The first unlocked lesson that is not completed. */
  readonly todo: Lesson | undefined
  /** The next lesson, if it is unlocked. */
  readonly next: Lesson | undefined
}

const Locked = ({ course, lesson, todo }: Props) => {
  const { t } = useTranslation('courses')
  const { lock_reason: reason, unlock_date: date } = lesson
  return (
    <Empty title={t('locked.title')} icon={<LockKeyhole />}>
      <p>
        {reason === 'section_locked'
          ? date
            ? t('locked.until', { day: dateOf(date) })
            : t('locked.section')
          : reason && t(`locked.${reason}`)}
      </p>
      {reason === 'sequential' && todo ? (
        <Link
          to="/courses/$slug/lessons/$lesson"
          params={{ slug: course.slug, lesson: todo.slug }}
          className={`${button.button} ${button.primary}`}
        >
          {t('locked.goTo', { title: todo.title })}
        </Link>
      ) : (
        <Link to="/courses/$slug" params={{ slug: course.slug }} className={`${button.button} ${button.primary}`}>
          {t('locked.toCourse')}
        </Link>
      )}
    </Empty>
  )
}

const Resources = ({ resources }: Pick<LessonDetail, 'resources'>) => {
  const { t } = useTranslation('courses')
  return (
    <section className={style.resources} aria-labelledby="resources">
      <h2 id="resources">{t('resources')}</h2>
      <ul>
        {resources.map(({ title, url }) => {
          const own = URL.canParse(url) && new URL(url).origin === location.origin
          return (
            <li key={url}>
              <a href={url} className={style.resource} {...(own ? { download: '' } : { target: '_blank', rel: 'noreferrer' })}>
                {own ? <Download aria-hidden="true" /> : <ExternalLink aria-hidden="true" />}
                <span>
                  <strong>{title}</strong>
                  {!own && URL.canParse(url) && <span className={style.soft}>{new URL(url).hostname}</span>}
                </span>
              </a>
            </li>
          )
        })}
      </ul>
    </section>
  )
}

/** The content of a lesson, or why it is locked. */
export const LessonBody = (props: Props) => {
  const { lesson, course, next } = props
  if (lesson.is_locked) return <Locked {...props} />
  return (
    <>
      {lesson.video_url && <LessonVideo address={lesson.video_url} title={lesson.title} />}
      {lesson.content && <HtmlContent html={lesson.content} className={style.text ?? ''} />}
      {lesson.resources.length > 0 && <Resources resources={lesson.resources} />}
      {lesson.type === 'quiz' && (
        <Suspense fallback={<Skeleton lines={5} />}>
          <QuizPanel course={course} lesson={lesson} next={next} />
        </Suspense>
      )}
    </>
  )
}
