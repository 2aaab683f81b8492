import { Ellipsis, GripVertical, PenLine, Trash2 } from 'lucide-react'
import { type DragEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { client } from '../../lib/client.ts'
import { fullDateTime } from '../../lib/time.ts'
import { Card } from '../../ui/card.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { Menu } from '../../ui/menu.tsx'
import { MoveButtons } from '../../ui/move-buttons.tsx'
import { type CourseDetail, refreshCourse } from '../courses/queries.ts'
import { type Dragged, dragHandleProps, dropIndexAt, indexOfGap } from './drag-and-drop.ts'
import { NewLesson } from './new-lesson.tsx'
import type { Section } from './queries.ts'
import { moveSection } from './reorder.ts'
import style from './section-card.module.css'
import { SectionDialog } from './section-dialog.tsx'
import { SectionLessons } from './section-lessons.tsx'

interface Props {
  readonly course: CourseDetail
  readonly sections: Section[]
  readonly section: Section
  readonly place: number
  readonly dragged: Dragged | null
  readonly onDrag: (dragged: Dragged | null) => void
}

/** A section with its lessons. It can be moved with its buttons or by dragging its header. */
export const SectionCard = ({ course, sections, section, place, dragged, onDrag }: Props) => {
  const { t } = useTranslation('teaching')
  const [asking, setAsking] = useState<'edit' | 'delete' | null>(null)
  const [over, setOver] = useState<number | null>(null)
  const facts = [
    section.status === 'published' ? '' : t(`status.${section.status}`),
    course.course_type === 'structured' && section.days_after > 0 ? t('section.after', { count: section.days_after }) : '',
    course.course_type === 'scheduled' && section.scheduled_at ? t('section.at', { time: fullDateTime(section.scheduled_at) }) : '',
  ].filter(Boolean)
  const held = dragged?.section
  const drop = (event: DragEvent) => {
    if (!held) return
    event.preventDefault()
    const from = sections.findIndex(({ id }) => id === held.id)
    const to = indexOfGap(dropIndexAt(event, place), from)
    if (from !== to) void moveSection(course.id, sections, from, to)
    setOver(null)
    onDrag(null)
  }
  return (
    <Card
      className={style.card}
      aria-labelledby={`section-${section.id}`}
      data-dragged={held?.id === section.id || undefined}
      data-over={(held && (over === place ? 'before' : over === place + 1 && 'behind')) || undefined}
      onDragOver={(event) => {
        if (!held) return
        event.preventDefault()
        setOver(dropIndexAt(event, place))
      }}
      onDragLeave={() => setOver(null)}
      onDrop={drop}
    >
      <header className={style.head} {...dragHandleProps(section.title, (on) => onDrag(on ? { section } : null))}>
        <span className={style.grip} aria-hidden="true">
          <GripVertical />
        </span>
        <div className={style.words}>
          <h2 id={`section-${section.id}`}>{section.title}</h2>
          {facts.length > 0 && <p className={style.soft}>{facts.join(' · ')}</p>}
        </div>
        <MoveButtons
          id={`section-${section.id}`}
          title={section.title}
          isFirst={place === 0}
          isLast={place === sections.length - 1}
          onMove={(step) => moveSection(course.id, sections, place, place + step)}
        />
        <Menu
          label={t('actionsOf', { title: section.title })}
          trigger={<Ellipsis />}
          actions={[
            { label: t('section.edit'), icon: <PenLine />, onAction: () => setAsking('edit') },
            { label: t('section.delete'), icon: <Trash2 />, danger: true, onAction: () => setAsking('delete') },
          ]}
        />
      </header>
      <SectionLessons course={course} sections={sections} section={section} dragged={dragged} onDrag={onDrag} />
      <NewLesson course={course} sectionId={section.id} />
      {asking === 'edit' && <SectionDialog course={course} section={section} onClose={() => setAsking(null)} />}
      {asking === 'delete' && (
        <Confirm
          title={t('section.delete')}
          action={t('common:delete')}
          onClose={() => setAsking(null)}
          onConfirm={async () => {
            await client.courseSections.remove({ course_id: course.id, section_id: section.id })
            await refreshCourse()
          }}
        >
          <p>{t('section.deleteSure', { title: section.title, count: section.lessons.length })}</p>
        </Confirm>
      )}
    </Card>
  )
}
