import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Award, LogOut, MoreHorizontal, Play, RotateCcw } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { client } from '../../lib/client.ts'
import { errorMessage } from '../../lib/optimistic.ts'
import { dateOf } from '../../lib/time.ts'
import button from '../../ui/button.module.css'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { ErrorMessage } from '../../ui/error-message.tsx'
import { Menu } from '../../ui/menu.tsx'
import { Progress } from '../../ui/progress.tsx'
import { toast } from '../../ui/toasts.tsx'
import { enrol, leave } from './actions.ts'
import style from './course-page.module.css'
import { type CourseDetail, type Lesson, refreshCourse } from './queries.ts'

interface Props {
  readonly course: CourseDetail
  /** The lesson to continue with. */
  readonly next: Lesson | undefined
}

const Student = ({ course, next }: Props) => {
  const { t } = useTranslation('courses')
  const [asking, setAsking] = useState<'leave' | 'reset' | null>(null)
  const finished = course.progress >= 100
  const reset = async () => {
    await client.progress.reset({ course_id: course.id })
    await refreshCourse()
    toast(t('enroll.resetDone'))
  }
  return (
    <>
      <Progress value={course.progress} label={t('progressOf', { title: course.title })} text={t('percent', { value: course.progress })} />
      {finished ? (
        <p className={style.finished}>{t('enroll.finished')}</p>
      ) : (
        course.enrolled_at && <p className={style.soft}>{t('enroll.enrolledOn', { day: dateOf(course.enrolled_at) })}</p>
      )}
      <div className={style.acts}>
        {finished && course.lessons_count > 0 && (
          <Link to="/courses/$slug/certificate" params={{ slug: course.slug }} className={`${button.button} ${button.primary}`}>
            <Award aria-hidden="true" /> {t('certificate.name')}
          </Link>
        )}
        {next && (
          <Link
            to="/courses/$slug/lessons/$lesson"
            params={{ slug: course.slug, lesson: next.slug }}
            className={`${button.button} ${finished ? button.plain : button.primary}`}
          >
            <Play aria-hidden="true" /> {t(finished ? 'enroll.review' : course.progress > 0 ? 'enroll.continue' : 'enroll.start')}
          </Link>
        )}
        <Menu
          label={t('enroll.moreActions')}
          trigger={<MoreHorizontal />}
          actions={[
            { label: t('enroll.reset'), icon: <RotateCcw />, onAction: () => setAsking('reset') },
            { label: t('enroll.leave'), icon: <LogOut />, danger: true, onAction: () => setAsking('leave') },
          ]}
        />
      </div>
      {asking === 'leave' && (
        <Confirm title={t('enroll.leaveTitle')} action={t('enroll.leave')} onConfirm={() => leave(course)} onClose={() => setAsking(null)}>
          <p>{t('enroll.leaveText')}</p>
        </Confirm>
      )}
      {asking === 'reset' && (
        <Confirm title={t('enroll.resetTitle')} action={t('enroll.reset')} onConfirm={reset} onClose={() => setAsking(null)}>
          <p>{t('enroll.resetText')}</p>
        </Confirm>
      )}
    </>
  )
}

const Visitor = ({ course }: Pick<Props, 'course'>) => {
  const { t } = useTranslation('courses')
  const joining = useMutation({ mutationFn: () => enrol(course), onSuccess: () => toast(t('enroll.done', { title: course.title })) })
  const missing = course.prerequisites.filter(({ is_completed }) => !is_completed)
  const { lockscreen: door, permissions } = course
  return (
    <>
      {door?.enabled && door.message && <p className={style.door}>{door.message}</p>}
      {door?.enabled && door.button_url && (
        <a href={door.button_url} className={`${button.button} ${button.plain}`} rel="noreferrer">
          {door.button_text || t('enroll.moreActions')}
        </a>
      )}
      {missing.length > 0 && (
        <div>
          <p>{t('enroll.prerequisites', { count: missing.length })}</p>
          <ul className={style.required}>
            {missing.map(({ id, slug, title }) => (
              <li key={id}>
                <Link to="/courses/$slug" params={{ slug }}>
                  {title}
                </Link>
              </li>
            ))}
          </ul>
        </div>
      )}
      {permissions.can_self_enroll ? (
        <Button
          kind="primary"
          busy={joining.isPending}
          disabled={missing.length > 0 && !permissions.can_manage}
          onClick={() => joining.mutate()}
        >
          {t('enroll.enroll')}
        </Button>
      ) : (
        <p className={style.soft}>{t('enroll.byInvitation')}</p>
      )}
      {joining.isError && <ErrorMessage>{errorMessage(joining.error)}</ErrorMessage>}
    </>
  )
}

/** Enroll, continue and leave actions of a course. */
export const Enrolment = ({ course, next }: Props) => (
  <Card className={style.enrolment}>{course.is_enrolled ? <Student course={course} next={next} /> : <Visitor course={course} />}</Card>
)
