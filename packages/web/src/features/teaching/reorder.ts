import i18next from 'i18next'
import { client } from '../../lib/client.ts'
import { optimistic } from '../../lib/optimistic.ts'
import { queryClient } from '../../lib/query.ts'
import { withItemMoved } from '../../ui/move-buttons.tsx'
import { toast } from '../../ui/toasts.tsx'
import { refreshCourse } from '../courses/queries.ts'
import { type Section, type SectionLesson, sectionsQuery } from './queries.ts'

/** Replaces the cached sections. Returns an undo function. */
const show = (courseId: number, sections: Section[]) => {
  const { queryKey } = sectionsQuery(courseId)
  const before = queryClient.getQueryData(queryKey)
  // A pending response would show the old order.
  void queryClient.cancelQueries({ queryKey }, { revert: false })
  queryClient.setQueryData(queryKey, sections)
  return () => void queryClient.setQueryData(queryKey, before)
}

let last: Promise<unknown> = Promise.resolve()
let waiting = 0

/** Runs moves one after another, as fast as the user clicks, and refetches the sections at the end. */
const arrange = async (undo: () => void, work: () => Promise<unknown>): Promise<void> => {
  waiting += 1
  last = last.then(() => optimistic(undo, work))
  await last
  waiting -= 1
  if (waiting === 0) await refreshCourse()
}

export const moveSection = (courseId: number, sections: Section[], from: number, to: number): Promise<void> => {
  const next = withItemMoved(sections, from, to)
  toast(i18next.t('teaching:movedTo', { title: sections[from]?.title, position: to + 1, total: sections.length }))
  return arrange(show(courseId, next), () =>
    client.courseSections.reorder({ course_id: courseId, indexes: Object.fromEntries(next.map(({ id }, place) => [id, place + 1])) }),
  )
}

/** Moves a lesson to a section and position. The position does not count the lesson itself. */
export const placeLesson = (
  courseId: number,
  sections: Section[],
  lesson: SectionLesson,
  sectionId: number,
  place: number,
): Promise<void> => {
  const next = sections.map((section) => {
    const others = section.lessons.filter(({ id }) => id !== lesson.id)
    return { ...section, lessons: section.id === sectionId ? others.toSpliced(place, 0, { ...lesson, section_id: sectionId }) : others }
  })
  const there = next.find(({ id }) => id === sectionId)
  toast(i18next.t('teaching:movedIn', { title: lesson.title, section: there?.title, position: place + 1 }))
  return arrange(show(courseId, next), async () => {
    if (lesson.section_id !== sectionId)
      await client.adminLessons.move({ course_id: courseId, lesson_id: lesson.id, section_id: sectionId })
    await client.lessons.reorder({ course_id: courseId, lesson_ids: next.flatMap(({ lessons }) => lessons.map(({ id }) => id)) })
  })
}

/** Moves a lesson one step up or down; at the end of a section, into the next one. */
export const stepLesson = (courseId: number, sections: Section[], lesson: SectionLesson, step: 1 | -1): Promise<void> | null => {
  const at = sections.findIndex(({ id }) => id === lesson.section_id)
  const own = sections[at]
  if (!own) return null
  const place = own.lessons.findIndex(({ id }) => id === lesson.id) + step
  if (place >= 0 && place < own.lessons.length) return placeLesson(courseId, sections, lesson, own.id, place)
  const other = sections[at + step]
  return other ? placeLesson(courseId, sections, lesson, other.id, step === 1 ? 0 : other.lessons.length) : null
}

export const setLessonStatus = (
  courseId: number,
  sections: Section[],
  lesson: SectionLesson,
  status: 'published' | 'draft',
): Promise<void> => {
  const next = sections.map((section) => ({
    ...section,
    lessons: section.lessons.map((each) => (each.id === lesson.id ? { ...each, status } : each)),
  }))
  return arrange(show(courseId, next), () => client.lessons.update({ course_id: courseId, lesson_id: lesson.id, status }))
}
