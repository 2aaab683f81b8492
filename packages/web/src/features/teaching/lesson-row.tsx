import { Link } from '@tanstack/react-router'
import { BookOpen, CircleHelp, Copy, Ellipsis, Eye, EyeOff, GripVertical, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { client } from '../../lib/client.ts'
import { errorMessage } from '../../lib/optimistic.ts'
import { Confirm } from '../../ui/confirm.tsx'
import { Menu } from '../../ui/menu.tsx'
import { MoveButtons } from '../../ui/move-buttons.tsx'
import { toast } from '../../ui/toasts.tsx'
import { type CourseDetail, refreshCourse } from '../courses/queries.ts'
import { dragHandleProps } from './drag-and-drop.ts'
import type { Section, SectionLesson } from './queries.ts'
import { setLessonStatus, stepLesson } from './reorder.ts'
import style from './section-card.module.css'

interface Props {
  readonly course: CourseDetail
  readonly sections: Section[]
  readonly lesson: SectionLesson
  readonly isDragged: boolean
  readonly onDrag: (on: boolean) => void
}

/** A lesson in the course outline. It can be moved with its buttons or by dragging. */
export const LessonRow = ({ course, sections, lesson, isDragged, onDrag }: Props) => {
  const { t } = useTranslation('teaching')
  const [deleting, setDeleting] = useState(false)
  const order = sections.flatMap(({ lessons }) => lessons)
  const isFirst = sections[0]?.id === lesson.section_id && order[0]?.id === lesson.id
  const isLast = sections.at(-1)?.id === lesson.section_id && order.at(-1)?.id === lesson.id
  const isOut = lesson.status === 'published'
  const Kind = lesson.type === 'quiz' ? CircleHelp : BookOpen
  const copy = async () => {
    try {
      await client.adminLessons.duplicate({ course_id: course.id, lesson_id: lesson.id })
      await refreshCourse()
      toast(t('copied'))
    } catch (error) {
      toast(errorMessage(error), 'failed')
    }
  }
  return (
    <div className={style.row} data-dragged={isDragged || undefined} {...dragHandleProps(lesson.title, onDrag)}>
      <span className={style.grip} aria-hidden="true">
        <GripVertical />
      </span>
      <Kind className={style.kind} aria-hidden="true" />
      <Link
        to="/teaching/$slug/lessons/$lesson"
        params={{ slug: course.slug, lesson: String(lesson.id) }}
        className={style.name}
        draggable={false}
      >
        <span>{lesson.title}</span>
        <span className={`${style.soft} ${isOut ? '' : style.draft}`}>
          {[t(`kind.${lesson.type}`), lesson.duration, isOut ? '' : t(`status.${lesson.status}`)].filter(Boolean).join(' · ')}
        </span>
      </Link>
      <MoveButtons
        id={`lesson-${lesson.id}`}
        title={lesson.title}
        isFirst={isFirst}
        isLast={isLast}
        onMove={(step) => stepLesson(course.id, sections, lesson, step)}
      />
      <Menu
        label={t('actionsOf', { title: lesson.title })}
        trigger={<Ellipsis />}
        actions={[
          {
            label: t(isOut ? 'lesson.revertToDraft' : 'lesson.publish'),
            icon: isOut ? <EyeOff /> : <Eye />,
            onAction: () => void setLessonStatus(course.id, sections, lesson, isOut ? 'draft' : 'published'),
          },
          { label: t('copy'), icon: <Copy />, onAction: () => void copy() },
          { label: t('lesson.delete'), icon: <Trash2 />, danger: true, onAction: () => setDeleting(true) },
        ]}
      />
      {deleting && (
        <Confirm
          title={t('lesson.delete')}
          action={t('common:delete')}
          onClose={() => setDeleting(false)}
          onConfirm={async () => {
            await client.lessons.remove({ course_id: course.id, lesson_id: lesson.id })
            await refreshCourse()
          }}
        >
          <p>{t('lesson.deleteSure', { title: lesson.title })}</p>
        </Confirm>
      )}
    </div>
  )
}
