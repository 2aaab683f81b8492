import { Link } from '@tanstack/react-router'
import { Circle, CircleCheckBig, CircleHelp, LockKeyhole } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { dateOf, fullDateTime } from '../../lib/time.ts'
import style from './outline.module.css'
import type { CourseDetail, Lesson } from './queries.ts'

interface Props {
  readonly course: CourseDetail
  readonly lessons: readonly Lesson[]
  /** The current lesson. */
  readonly current?: number
  readonly onFollow?: () => void
  /** Heading level of the sections. */
  readonly level?: 'h2' | 'h3'
}

/** Published lessons by section. */
const grouped = (course: CourseDetail, lessons: readonly Lesson[]) =>
  course.sections.map((section) => ({
    section,
    lessons: lessons.filter(({ section_id, status }) => section_id === section.id && status === 'published'),
  }))

/** The published lessons in order. */
export const lessonsInOrder = (course: CourseDetail, lessons: readonly Lesson[]): readonly Lesson[] =>
  grouped(course, lessons).flatMap((part) => part.lessons)

const useReason = () => {
  const { t } = useTranslation('courses')
  return ({ lock_reason: reason, unlock_date: date }: Lesson) =>
    reason === 'section_locked'
      ? date
        ? t('locked.until', { day: dateOf(date) })
        : t('locked.section')
      : reason
        ? t(`locked.${reason}`)
        : ''
}

const StateIcon = ({ lesson }: { readonly lesson: Lesson }) => {
  if (lesson.is_completed) return <CircleCheckBig className={style.done} aria-hidden="true" />
  if (lesson.is_locked) return <LockKeyhole aria-hidden="true" />
  return lesson.type === 'quiz' ? <CircleHelp aria-hidden="true" /> : <Circle aria-hidden="true" />
}

const Row = ({ course, lesson, current, onFollow }: Pick<Props, 'course' | 'current' | 'onFollow'> & { readonly lesson: Lesson }) => {
  const { t } = useTranslation('courses')
  const reason = useReason()(lesson)
  const state = lesson.is_completed ? t('state.done') : lesson.is_locked ? t('state.locked') : t('state.incomplete')
  const facts = [
    lesson.type === 'quiz' ? t('quiz.name') : '',
    lesson.duration,
    lesson.is_preview && !course.is_enrolled ? t('preview') : '',
    reason,
  ].filter(Boolean)
  const words = (
    <>
      <StateIcon lesson={lesson} />
      <span className={style.words}>
        <span className={style.name}>{lesson.title}</span>
        {facts.length > 0 && <span className={style.facts}>{facts.join(' · ')}</span>}
      </span>
      <span className="visually-hidden">({state})</span>
    </>
  )
  if (lesson.is_locked) return <span className={style.row}>{words}</span>
  return (
    <Link
      to="/courses/$slug/lessons/$lesson"
      params={{ slug: course.slug, lesson: lesson.slug }}
      className={style.row}
      data-current={lesson.id === current || undefined}
      {...(onFollow && { onClick: onFollow })}
    >
      {words}
    </Link>
  )
}

/** Sections and lessons of a course with their status and lock reason. */
export const Outline = ({ course, lessons, current, onFollow, level: Heading = 'h3' }: Props) => {
  const { t } = useTranslation('courses')
  return (
    <ol className={style.sections}>
      {grouped(course, lessons).map(({ section, lessons: own }) => (
        <li key={section.id} className={style.section}>
          <div className={style.head}>
            <Heading>{section.title}</Heading>
            <span className={style.count}>
              {t('doneOf', { done: own.filter(({ is_completed }) => is_completed).length, total: own.length })}
            </span>
          </div>
          {section.is_locked && section.unlock_date && (
            <p className={style.opens} title={fullDateTime(section.unlock_date)}>
              {t('locked.until', { day: dateOf(section.unlock_date) })}
            </p>
          )}
          {own.length === 0 && <p className={style.opens}>{t('sectionEmpty')}</p>}
          <ol>
            {own.map((lesson) => (
              <li key={lesson.id}>
                <Row course={course} lesson={lesson} {...(current !== undefined && { current })} {...(onFollow && { onFollow })} />
              </li>
            ))}
          </ol>
        </li>
      ))}
    </ol>
  )
}
