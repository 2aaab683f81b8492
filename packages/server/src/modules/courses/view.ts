import type { Course, CourseDetail, Infer } from '@lyceum/contract'
import type { Actor, ReadRequest } from '../../core/context.ts'
import { pick } from '../../util/pick.ts'
import { courseAbilities } from './access.ts'
import type { CourseFor } from './course-row.ts'
import { type LessonLock, locksOf, unlockDate } from './lesson-access.ts'
import { lockscreenFor } from './lockscreen.ts'
import { requiredCourses } from './prerequisites.ts'
import { instructorById, type OutlineRow, publishedLessons, publishedSections, type SectionHeadRow } from './queries.ts'
import { readCourseSettings } from './settings.ts'

/** The course, with the caller's abilities, without what it hides from them. */
export const visibleCourse = (actor: Actor, course: CourseFor) => {
  const abilities = courseAbilities(actor, course)
  const settings = readCourseSettings(course.settings)
  if (abilities.manage) return { ...course, abilities, settings }
  const hidesInstructor = settings.hide_instructor_view === 'yes'
  return {
    ...course,
    abilities,
    created_by: hidesInstructor ? null : course.created_by,
    instructor_id: hidesInstructor ? null : course.instructor_id,
    students_count: settings.hide_members_count === 'yes' ? 0 : course.students_count,
    settings: { ...settings, links: settings.links.filter((link) => link.enabled === 'yes') },
  }
}

type VisibleCourse = ReturnType<typeof visibleCourse>

export const viewCourse = (course: VisibleCourse): Infer<typeof Course> => {
  const { isEnrolled } = course.abilities
  return {
    ...pick(course, 'id', 'title', 'slug', 'description', 'content', 'featured_image', 'logo', 'cover_photo', 'status', 'privacy'),
    ...pick(course, 'course_type', 'difficulty', 'duration', 'lessons_count', 'created_at', 'updated_at'),
    ...pick(course, 'created_by', 'instructor_id', 'settings', 'students_count'),
    type: 'course',
    category: course.category ?? '',
    price: Number(course.price),
    rating: 0,
    reviews_count: 0,
    serial: course.position,
    sectionsCount: course.sections_count,
    lessonsCount: course.lessons_count,
    studentsCount: course.students_count,
    is_enrolled: isEnrolled,
    isEnrolled,
    ...(isEnrolled && { progress: course.my_progress ?? 0 }),
  }
}

/** A section's outline entry: when it unlocks for the caller, and whether it is still locked. */
const viewHead = (course: CourseFor, manages: boolean, now: string, section: SectionHeadRow) => {
  const { id, title, slug, created_at } = section
  const opens = unlockDate(course, section)
  // Relative unlock days start with the enrolment, so without one the section stays locked.
  const waits = course.course_type === 'structured' && course.my_enrolment_id === null && section.days_after > 0
  const is_locked = !manages && (waits || (opens !== null && opens > now))
  return { id, title, slug, type: 'section' as const, created_at, is_locked, unlock_date: opens }
}

const viewOutline = (lesson: OutlineRow & { readonly lock: LessonLock }) => ({
  ...pick(lesson, 'id', 'title', 'slug', 'type', 'duration'),
  order: lesson.position,
  is_preview: lesson.is_preview === 1,
  is_completed: lesson.my_completed_at !== null,
  is_locked: lesson.lock.reason !== null,
  unlock_date: lesson.lock.unlock_date,
})

export const presentCourse = async ({ db, actor, now }: ReadRequest, course: CourseFor): Promise<Infer<typeof CourseDetail>> => {
  const visible = visibleCourse(actor, course)
  const { abilities } = visible
  const { manage } = abilities
  const [instructor, sections, lessons, required] = await Promise.all([
    visible.instructor_id === null ? undefined : instructorById(db, [visible.instructor_id]),
    publishedSections(db, [course.id]),
    publishedLessons(db, [course.id, actor.id]),
    requiredCourses(db, actor, course.id),
  ])
  const locks = locksOf(course, manage, lessons, now)
  const outline = Map.groupBy(
    lessons.map((lesson, i) => ({ ...lesson, lock: locks[i] as LessonLock })),
    ({ section_id }) => section_id,
  )
  const progress = course.my_progress ?? 0
  const seen = required.filter((one) => one.visible === 1)
  return {
    ...viewCourse(visible),
    progress,
    enrolled_at: course.my_enrolled_at,
    published_at: course.published_at,
    instructor: instructor ?? null,
    sections: sections.map((section) => ({
      ...viewHead(course, manage, now, section),
      lessons: (outline.get(section.id) ?? []).map(viewOutline),
    })),
    track: {
      completed_lessons: lessons.filter(({ my_completed_at }) => my_completed_at !== null).map(({ id }) => id),
      isEnrolled: abilities.isEnrolled,
      progress,
    },
    prerequisites: seen.map(({ id, title, slug, my_completed_at }) => ({ id, title, slug, is_completed: my_completed_at !== null })),
    lockscreen: lockscreenFor(course.lockscreen, abilities, required),
    permissions: {
      can_manage: manage,
      can_self_enroll: abilities.enrol && !abilities.isEnrolled,
      can_view_lessons: abilities.learn,
      can_view_students: manage,
      can_appoint_instructor: abilities.appoint,
    },
  }
}
