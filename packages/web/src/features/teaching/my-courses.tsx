import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { ChevronLeft, GraduationCap, Plus } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useMe } from '../../lib/session.ts'
import back from '../../ui/back-link.module.css'
import button from '../../ui/button.module.css'
import { Card } from '../../ui/card.tsx'
import { Empty } from '../../ui/feedback.tsx'
import { LoadMore } from '../../ui/load-more.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { QueryState } from '../../ui/query-state.tsx'
import { SegmentedControl } from '../../ui/segmented-control.tsx'
import { canCreateCourses } from '../courses/queries.ts'
import { managedCoursesQuery } from './queries.ts'
import style from './teaching.module.css'

const route = getRouteApi('/members/teaching')
const STATUSES = ['published', 'draft', 'archived'] as const

/** Courses the user manages. */
export const MyCoursesPage = () => {
  const { t } = useTranslation('teaching')
  const me = useMe()
  const { only: status = 'published' } = route.useSearch()
  const navigate = useNavigate()
  const list = useInfiniteQuery(managedCoursesQuery(me, status))
  const courses = list.data?.pages.flatMap((page) => page.courses.data) ?? []
  return (
    <div className={style.page} data-wide>
      <Link to="/courses" className={back.link}>
        <ChevronLeft aria-hidden="true" /> {t('courses')}
      </Link>
      <header className={style.head}>
        <PageTitle>{t('managed.title')}</PageTitle>
        <h1>{t('managed.title')}</h1>
        {canCreateCourses(me) && (
          <Link to="/teaching/new" className={`${button.button} ${button.primary}`}>
            <Plus aria-hidden="true" /> {t('new.title')}
          </Link>
        )}
      </header>
      <SegmentedControl
        label={t('managed.filter')}
        value={status}
        options={STATUSES.map((value) => ({ value, label: t(`managed.${value}`) }))}
        onChange={(only) => navigate({ to: '/teaching', search: { only: only === 'published' ? undefined : only }, replace: true })}
      />
      <QueryState
        query={list}
        lines={6}
        isEmpty={courses.length === 0}
        empty={
          <Empty title={t(`managed.none.${status}`)} icon={<GraduationCap aria-hidden="true" />}>
            <p>{t(`managed.noneHint.${status}`)}</p>
          </Empty>
        }
      />
      {courses.length > 0 && (
        <Card className={style.list}>
          <ul>
            {courses.map((course) => (
              <li key={course.id}>
                <Link to="/teaching/$slug" params={{ slug: course.slug }} className={style.row}>
                  <strong>{course.title}</strong>
                  <span className={style.soft}>
                    {t('lessons', { count: course.lessons_count })} · {t('students', { count: course.students_count })}
                  </span>
                </Link>
              </li>
            ))}
          </ul>
        </Card>
      )}
      <LoadMore list={list} />
    </div>
  )
}
