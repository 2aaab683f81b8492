import { Link } from '@tanstack/react-router'
import { BookOpen, Check, Clock, EyeOff, Lock, Users } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Progress } from '../../ui/progress.tsx'
import style from './course-card.module.css'
import { CourseCover } from './course-cover.tsx'
import type { Course } from './queries.ts'

/** A course in a list with the user's progress. */
export const CourseCard = ({ course }: { readonly course: Course }) => {
  const { t } = useTranslation('courses')
  const progress = course.progress ?? 0
  return (
    <article className={style.card}>
      <CourseCover course={course} />
      <div className={style.body}>
        {course.category && <p className={style.category}>{course.category}</p>}
        <h2 className={style.title}>
          <Link to="/courses/$slug" params={{ slug: course.slug }}>
            {course.title}
          </Link>
        </h2>
        <p className={style.about}>{course.description}</p>
        <ul className={style.facts}>
          <li>
            <BookOpen aria-hidden="true" /> {t('lessons', { count: course.lessons_count })}
          </li>
          {course.duration && (
            <li>
              <Clock aria-hidden="true" /> {course.duration}
            </li>
          )}
          {course.students_count > 0 && (
            <li>
              <Users aria-hidden="true" /> {t('students', { count: course.students_count })}
            </li>
          )}
          {course.privacy !== 'public' && (
            <li>
              {course.privacy === 'secret' ? <EyeOff aria-hidden="true" /> : <Lock aria-hidden="true" />} {t(`privacy.${course.privacy}`)}
            </li>
          )}
        </ul>
        <div className={style.end}>
          {!course.is_enrolled && <span className={style.level}>{t(`level.${course.difficulty}`)}</span>}
          {course.is_enrolled && progress < 100 && (
            <Progress value={progress} label={t('progressOf', { title: course.title })} text={t('percent', { value: progress })} />
          )}
          {course.is_enrolled && progress >= 100 && (
            <span className={style.done}>
              <Check aria-hidden="true" /> {t('completed')}
            </span>
          )}
        </div>
      </div>
    </article>
  )
}
