import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { BookOpen, ChartNoAxesColumn, ChevronLeft, Clock, Lock, PencilRuler, Users } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Avatar } from '../../ui/avatar.tsx'
import back from '../../ui/back-link.module.css'
import button from '../../ui/button.module.css'
import { Card } from '../../ui/card.tsx'
import { Empty } from '../../ui/feedback.tsx'
import { HtmlContent } from '../../ui/html-content.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { QueryState } from '../../ui/query-state.tsx'
import { CourseCover } from './course-cover.tsx'
import style from './course-page.module.css'
import { Enrolment } from './enrolment.tsx'
import { lessonsInOrder, Outline } from './outline.tsx'
import { type CourseDetail, courseQuery, lessonsQuery } from './queries.ts'

const route = getRouteApi('/members/courses/$slug')

const Facts = ({ course }: { readonly course: CourseDetail }) => {
  const { t } = useTranslation('courses')
  const facts = [
    { icon: BookOpen, text: t('lessons', { count: course.lessons_count }) },
    { icon: ChartNoAxesColumn, text: t(`level.${course.difficulty}`) },
    ...(course.duration ? [{ icon: Clock, text: course.duration }] : []),
    ...(course.settings.hide_members_count === 'no' || course.permissions.can_manage
      ? [{ icon: Users, text: t('students', { count: course.students_count }) }]
      : []),
    ...(course.privacy === 'public' ? [] : [{ icon: Lock, text: t(`privacy.${course.privacy}`) }]),
  ]
  return (
    <ul className={style.facts}>
      {facts.map(({ icon: Icon, text }) => (
        <li key={text}>
          <Icon aria-hidden="true" /> {text}
        </li>
      ))}
    </ul>
  )
}

const Instructor = ({ person }: { readonly person: NonNullable<CourseDetail['instructor']> }) => {
  const { t } = useTranslation('courses')
  return (
    <Card className={style.instructor}>
      <h2>{t('instructor')}</h2>
      <div className={style.person}>
        <Avatar name={person.display_name} src={person.avatar} />
        <strong>{person.display_name}</strong>
      </div>
      {person.bio && <p className={style.soft}>{person.bio}</p>}
    </Card>
  )
}

const Shown = ({ course }: { readonly course: CourseDetail }) => {
  const { t } = useTranslation('courses')
  const list = useQuery(lessonsQuery(course.id))
  const lessons = lessonsInOrder(course, list.data ?? [])
  const open = lessons.filter(({ is_locked }) => !is_locked)
  const next = open.find(({ is_completed }) => !is_completed) ?? open[0]
  const links = course.settings.links.filter(({ enabled }) => enabled === 'yes')
  return (
    <>
      <header className={style.top}>
        <CourseCover course={course} large />
        <div className={style.titles}>
          {course.category && <p className={style.category}>{course.category}</p>}
          <PageTitle>{course.title}</PageTitle>
          <h1>{course.title}</h1>
          <p className={style.about}>{course.description}</p>
          <Facts course={course} />
          {course.status !== 'published' && <p className={style.draft}>{t(`status.${course.status}`)}</p>}
          {course.permissions.can_manage && (
            <Link to="/teaching/$slug" params={{ slug: course.slug }} className={`${button.button} ${button.plain} ${style.manage}`}>
              <PencilRuler aria-hidden="true" /> {t('manage')}
            </Link>
          )}
        </div>
      </header>
      <div className={style.columns}>
        <aside className={style.aside}>
          <Enrolment course={course} next={next} />
          {course.instructor && <Instructor person={course.instructor} />}
          {links.length > 0 && (
            <Card>
              <h2>{t('links')}</h2>
              <ul className={style.required}>
                {links.map(({ title, permalink }) => (
                  <li key={permalink}>
                    <a href={permalink} rel="noreferrer">
                      {title}
                    </a>
                  </li>
                ))}
              </ul>
            </Card>
          )}
        </aside>
        <div className={style.content}>
          {course.content && (
            <Card>
              <HtmlContent html={course.content} />
            </Card>
          )}
          <Card className={style.outline} aria-labelledby="outline">
            <h2 id="outline">{t('outline')}</h2>
            <QueryState
              query={list}
              lines={6}
              isEmpty={course.sections.length === 0}
              empty={<Empty title={t('outlineEmpty')} icon={<BookOpen />} />}
            />
            {list.data && <Outline course={course} lessons={list.data} />}
          </Card>
        </div>
      </div>
    </>
  )
}

/** A course: description, enrollment and lessons. */
export const CoursePage = () => {
  const { t } = useTranslation('courses')
  const { slug } = route.useParams()
  const course = useQuery(courseQuery(slug))
  return (
    <div className={style.page} data-wide>
      <Link to="/courses" className={back.link}>
        <ChevronLeft aria-hidden="true" /> {t('catalogue.title')}
      </Link>
      <QueryState query={course} lines={8} />
      {course.data && <Shown course={course.data} />}
    </div>
  )
}
