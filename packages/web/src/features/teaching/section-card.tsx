import { ArrowDown, ArrowUp, Ellipsis, PenLine, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { client } from '../../lib/client.ts'
import { whole } from '../../lib/time.ts'
import { IconButton } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { Menu } from '../../ui/menu.tsx'
import { type CourseDetail, refreshCourse } from '../courses/queries.ts'
import { moveSection, placeLesson } from './arranging.ts'
import { LessonRow } from './lesson-row.tsx'
import { NewLesson } from './new-lesson.tsx'
import type { Section, SectionLesson } from './queries.ts'
import style from './section-card.module.css'
import { SectionDialog } from './section-dialog.tsx'

interface Props {
  readonly course: CourseDetail
  readonly sections: Section[]
  readonly section: Section
  readonly place: number
  readonly dragged: SectionLesson | null
  readonly onDrag: (lesson: SectionLesson | null) => void
}

/** One section with its lessons; lessons are put into their order here. */
export const SectionCard = ({ course, sections, section, place, dragged, onDrag }: Props) => {
  const { t } = useTranslation('teaching')
  const [asking, setAsking] = useState<'edit' | 'delete' | null>(null)
  const [over, setOver] = useState<number | null>(null)
  const facts = [
    section.status === 'published' ? '' : t(`status.${section.status}`),
    course.course_type === 'structured' && section.days_after > 0 ? t('section.after', { count: section.days_after }) : '',
    course.course_type === 'scheduled' && section.scheduled_at ? t('section.at', { time: whole(section.scheduled_at) }) : '',
  ].filter(Boolean)
  const drop = (at: number) => {
    setOver(null)
    if (!dragged) return
    const from = section.lessons.findIndex(({ id }) => id === dragged.id)
    const to = from >= 0 && from < at ? at - 1 : at
    if (from !== to) void placeLesson(course.id, sections, dragged, section.id, to)
    onDrag(null)
  }
  /** Where something that is held over the list would go: before the row whose upper half it is over. */
  const zone = (at: number) => ({
    onDragOver: (event: React.DragEvent) => {
      if (!dragged) return
      event.preventDefault()
      const { top, height } = event.currentTarget.getBoundingClientRect()
      setOver(event.clientY < top + height / 2 ? at : at + 1)
    },
    onDrop: (event: React.DragEvent) => {
      event.preventDefault()
      drop(over ?? at)
    },
  })
  return (
    <Card className={style.card} aria-labelledby={`section-${section.id}`} onDragLeave={() => setOver(null)}>
      <header className={style.head}>
        <div className={style.words}>
          <h2 id={`section-${section.id}`}>{section.title}</h2>
          {facts.length > 0 && <p className={style.soft}>{facts.join(' · ')}</p>}
        </div>
        <IconButton
          label={t('up', { title: section.title })}
          disabled={place === 0}
          onClick={() => moveSection(course.id, sections, place, place - 1)}
        >
          <ArrowUp aria-hidden="true" />
        </IconButton>
        <IconButton
          label={t('down', { title: section.title })}
          disabled={place === sections.length - 1}
          onClick={() => moveSection(course.id, sections, place, place + 1)}
        >
          <ArrowDown aria-hidden="true" />
        </IconButton>
        <Menu
          label={t('actionsOf', { title: section.title })}
          trigger={<Ellipsis />}
          actions={[
            { label: t('section.edit'), icon: <PenLine />, onAction: () => setAsking('edit') },
            { label: t('section.delete'), icon: <Trash2 />, danger: true, onAction: () => setAsking('delete') },
          ]}
        />
      </header>
      <ol className={style.lessons}>
        {section.lessons.map((lesson, n) => (
          <li
            key={lesson.id}
            data-over={(dragged && over === n) || undefined}
            data-over-end={(dragged && over === n + 1 && n === section.lessons.length - 1) || undefined}
            {...zone(n)}
          >
            <LessonRow course={course} sections={sections} lesson={lesson} isDragged={dragged?.id === lesson.id} onDrag={onDrag} />
          </li>
        ))}
        {section.lessons.length === 0 && (
          <li className={style.none} data-over={(dragged && over !== null) || undefined} {...zone(0)} onDrop={() => drop(0)}>
            {t('section.empty')}
          </li>
        )}
      </ol>
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
