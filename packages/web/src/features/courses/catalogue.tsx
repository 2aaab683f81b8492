import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { GraduationCap, PencilRuler, Search } from 'lucide-react'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useMe } from '../../lib/session.ts'
import button from '../../ui/button.module.css'
import { Empty, Skeleton } from '../../ui/feedback.tsx'
import { LoadMore } from '../../ui/load-more.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { QueryState } from '../../ui/query-state.tsx'
import style from './catalogue.module.css'
import card from './course-card.module.css'
import { CourseCard } from './course-card.tsx'
import { courseListQuery, managesCoursesQuery, myCoursesQuery } from './queries.ts'

const route = getRouteApi('/members/courses')
const LEVELS = ['beginner', 'intermediate', 'advanced'] as const
/** Search debounce in milliseconds. */
const PAUSE = 300

const Filters = () => {
  const { t } = useTranslation('courses')
  const { q = '', category = '', level = '' } = route.useSearch()
  const navigate = useNavigate()
  const [written, setWritten] = useState(q)
  const sent = useRef(q)
  const categories = useInfiniteQuery(courseListQuery({})).data?.pages[0]?.course_categories ?? []
  const search = route.useSearch()
  const look = (change: Partial<typeof search>) =>
    navigate({ to: '/courses', search: { ...search, ...change }, replace: true, resetScroll: false })
  const seek = () => {
    sent.current = written.trim()
    void look({ q: sent.current || undefined })
  }
  // Take over a query that a link or the back button changed, but keep what is being typed.
  useEffect(() => {
    if (q === sent.current) return
    sent.current = q
    setWritten(q)
  }, [q])
  useEffect(() => {
    if (written.trim() === sent.current) return
    const wait = setTimeout(seek, PAUSE)
    return () => clearTimeout(wait)
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    seek()
  }
  return (
    <search>
      <form className={style.filters} onSubmit={submit}>
        <label className={style.search}>
          <Search aria-hidden="true" />
          <span className="visually-hidden">{t('catalogue.search')}</span>
          <input
            type="search"
            value={written}
            onChange={(event) => setWritten(event.currentTarget.value)}
            placeholder={t('catalogue.search')}
          />
        </label>
        <select
          value={category}
          onChange={(event) => look({ category: event.currentTarget.value || undefined })}
          aria-label={t('catalogue.category')}
        >
          <option value="">{t('catalogue.allCategories')}</option>
          {categories.map(({ slug, title }) => (
            <option key={slug} value={slug}>
              {title}
            </option>
          ))}
        </select>
        <select
          value={level}
          onChange={(event) => look({ level: LEVELS.find((each) => each === event.currentTarget.value) })}
          aria-label={t('catalogue.level')}
        >
          <option value="">{t('catalogue.allLevels')}</option>
          {LEVELS.map((each) => (
            <option key={each} value={each}>
              {t(`level.${each}`)}
            </option>
          ))}
        </select>
      </form>
    </search>
  )
}

const useList = () => {
  const { mine, q, category, level } = route.useSearch()
  const own = useInfiniteQuery({ ...myCoursesQuery(), enabled: mine === true })
  const all = useInfiniteQuery({ ...courseListQuery({ search: q, category, difficulty: level }), enabled: mine !== true })
  return mine ? own : all
}

const List = () => {
  const { t } = useTranslation('courses')
  const { mine, q, category, level } = route.useSearch()
  const list = useList()
  const placeholder = (
    <div className={card.grid}>
      {[0, 1, 2, 3].map((n) => (
        <div key={n} className={card.card}>
          <div className={card.body}>
            <Skeleton lines={6} />
          </div>
        </div>
      ))}
    </div>
  )
  if (!list.data) return <QueryState query={list} placeholder={placeholder} />
  const courses = list.data.pages.flatMap((page) => page.courses.data)
  if (courses.length === 0)
    return (
      <Empty
        title={t(mine ? 'catalogue.notEnrolled' : q || category || level ? 'catalogue.notFound' : 'catalogue.empty')}
        icon={<GraduationCap />}
      >
        <p>{t(mine ? 'catalogue.notEnrolledHint' : q || category || level ? 'catalogue.notFoundHint' : 'catalogue.emptyHint')}</p>
        {(mine || q || category || level) && (
          <Link to="/courses" className={`${button.button} ${button.plain}`}>
            {t('catalogue.showAll')}
          </Link>
        )}
      </Empty>
    )
  return (
    <>
      <p className="visually-hidden" role="status">
        {t('catalogue.found', { count: list.data?.pages[0]?.courses.total ?? 0 })}
      </p>
      <div className={card.grid}>
        {courses.map((course) => (
          <CourseCard key={course.id} course={course} />
        ))}
      </div>
      <LoadMore list={list} />
    </>
  )
}

/** All courses visible to the user, or those they are enrolled in. */
export const CataloguePage = () => {
  const { t } = useTranslation('courses')
  const { mine } = route.useSearch()
  const me = useMe()
  const teaches = useQuery(managesCoursesQuery(me))
  return (
    <div className={style.page} data-wide>
      <header className={style.head}>
        <PageTitle>{t('catalogue.title')}</PageTitle>
        <h1>{t('catalogue.title')}</h1>
        {teaches.data && (
          <Link to="/teaching" className={`${button.button} ${button.plain}`}>
            <PencilRuler aria-hidden="true" />
            {t('catalogue.teach')}
          </Link>
        )}
      </header>
      <nav className={style.tabs} aria-label={t('catalogue.which')}>
        <Link to="/courses" search={{ mine: undefined }} className={style.tab} activeOptions={{ explicitUndefined: true }}>
          {t('catalogue.all')}
        </Link>
        <Link to="/courses" search={{ mine: true }} className={style.tab}>
          {t('catalogue.mine')}
        </Link>
      </nav>
      {!mine && <Filters />}
      <List />
    </div>
  )
}
