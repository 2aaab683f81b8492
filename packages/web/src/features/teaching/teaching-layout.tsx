import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ChevronLeft, Eye } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import back from '../../ui/back-link.module.css'
import button from '../../ui/button.module.css'
import { Empty } from '../../ui/feedback.tsx'
import { PageTabs } from '../../ui/page-tabs.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { QueryState } from '../../ui/query-state.tsx'
import { type CourseDetail, courseQuery } from '../courses/queries.ts'
import style from './teaching.module.css'

interface Props {
  readonly slug: string
  readonly children: (course: CourseDetail) => ReactNode
}

/** The layout of a course's management pages. */
export const TeachingLayout = ({ slug, children }: Props) => {
  const { t } = useTranslation('teaching')
  const course = useQuery(courseQuery(slug))
  if (!course.data) return <QueryState query={course} lines={8} />
  if (!course.data.permissions.can_manage) return <Empty title={t('notYours')} />
  const base = `/teaching/${slug}`
  return (
    <div className={style.page} data-wide>
      <Link to="/teaching" search={{ only: course.data.status === 'published' ? undefined : course.data.status }} className={back.link}>
        <ChevronLeft aria-hidden="true" /> {t('managed.title')}
      </Link>
      <header className={style.head}>
        <div>
          <PageTitle>{course.data.title}</PageTitle>
          <h1>{course.data.title}</h1>
          <p className={style.soft}>{t(`status.${course.data.status}`)}</p>
        </div>
        <Link to="/courses/$slug" params={{ slug }} className={`${button.button} ${button.plain}`}>
          <Eye aria-hidden="true" /> {t('view')}
        </Link>
      </header>
      <PageTabs
        label={t('parts')}
        tabs={[
          { to: base, label: t('tab.content'), exact: true },
          { to: `${base}/settings`, label: t('tab.settings') },
          { to: `${base}/students`, label: t('tab.students'), count: course.data.students_count },
          { to: `${base}/results`, label: t('tab.results') },
        ]}
      />
      {children(course.data)}
    </div>
  )
}
