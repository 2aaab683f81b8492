import { type DragEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { CourseDetail } from '../courses/queries.ts'
import { type Dragged, dropIndexAt, indexOfGap } from './drag-and-drop.ts'
import { LessonRow } from './lesson-row.tsx'
import type { Section } from './queries.ts'
import { placeLesson } from './reorder.ts'
import style from './section-card.module.css'

interface Props {
  readonly course: CourseDetail
  readonly sections: Section[]
  readonly section: Section
  readonly dragged: Dragged | null
  readonly onDrag: (dragged: Dragged | null) => void
}

/** The lessons of a section, which is also a drop target. */
export const SectionLessons = ({ course, sections, section, dragged, onDrag }: Props) => {
  const { t } = useTranslation('teaching')
  const [over, setOver] = useState<number | null>(null)
  const held = dragged?.lesson
  const { lessons } = section
  const zone = (place: number) => ({
    onDragOver: (event: DragEvent) => {
      if (!held) return
      event.preventDefault()
      setOver(dropIndexAt(event, place))
    },
    onDrop: (event: DragEvent) => {
      if (!held) return
      event.preventDefault()
      const from = lessons.findIndex(({ id }) => id === held.id)
      const to = indexOfGap(Math.min(over ?? place, lessons.length), from)
      if (from !== to) void placeLesson(course.id, sections, held, section.id, to)
      setOver(null)
      onDrag(null)
    },
  })
  return (
    <ol className={style.lessons} onDragLeave={() => setOver(null)}>
      {lessons.map((lesson, n) => (
        <li
          key={lesson.id}
          data-over={(held && over === n) || undefined}
          data-over-end={(held && over === n + 1 && n === lessons.length - 1) || undefined}
          {...zone(n)}
        >
          <LessonRow
            course={course}
            sections={sections}
            lesson={lesson}
            isDragged={held?.id === lesson.id}
            onDrag={(on) => onDrag(on ? { lesson } : null)}
          />
        </li>
      ))}
      {lessons.length === 0 && (
        <li className={style.none} data-over={(held && over !== null) || undefined} {...zone(0)}>
          {t('section.empty')}
        </li>
      )}
    </ol>
  )
}
