import { Link, useNavigate } from '@tanstack/react-router'
import { ArrowLeft, ArrowRight, Check, CircleCheckBig } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import button from '../../ui/button.module.css'
import { Button } from '../../ui/button.tsx'
import { setCompletion } from './actions.ts'
import style from './lesson-page.module.css'
import type { CourseDetail, Lesson } from './queries.ts'

interface Props {
  readonly course: CourseDetail
  readonly lesson: Lesson
  /** Whether it is a quiz; passing it completes the lesson. */
  readonly byPassing: boolean
  readonly previous: Lesson | undefined
  readonly next: Lesson | undefined
}

/** Completion and navigation buttons of a lesson. */
export const LessonFooter = ({ course, lesson, byPassing, previous, next }: Props) => {
  const { t } = useTranslation('courses')
  const navigate = useNavigate()
  const marks = course.is_enrolled && !byPassing && !lesson.is_locked && lesson.status === 'published'
  const to = (other: Lesson) => ({ to: '/courses/$slug/lessons/$lesson', params: { slug: course.slug, lesson: other.slug } }) as const
  const complete = async () => {
    // Completing this lesson may unlock the next one, so navigate after the response.
    if ((await setCompletion(course, lesson, true)) && next) await navigate(to(next))
  }
  return (
    <nav className={style.end} aria-label={t('neighbours')}>
      {previous ? (
        <Link {...to(previous)} className={`${button.button} ${button.quiet}`} title={previous.title}>
          <ArrowLeft aria-hidden="true" /> {t('previous')}
        </Link>
      ) : (
        <span />
      )}
      {marks && lesson.is_completed && (
        <Button
          kind="quiet"
          aria-pressed="true"
          className={style.marked ?? ''}
          icon={<CircleCheckBig aria-hidden="true" />}
          title={t('unmark')}
          onClick={() => setCompletion(course, lesson, false)}
        >
          {t('marked')}
        </Button>
      )}
      {marks && !lesson.is_completed ? (
        <Button kind="primary" icon={<Check aria-hidden="true" />} onClick={complete}>
          {t(next ? 'markAndGo' : 'mark')}
        </Button>
      ) : next ? (
        <Link {...to(next)} className={`${button.button} ${next.is_locked ? button.quiet : button.primary}`} title={next.title}>
          {t('next')} <ArrowRight aria-hidden="true" />
        </Link>
      ) : (
        <span />
      )}
    </nav>
  )
}
