import type { Course, CourseDetail, Infer } from '@lyceum/contract'
import type { Actor, ReadRequest } from '../../core/context.ts'
import { pick } from '../../util/pick.ts'
import { type CourseAbilities, courseAbilities } from './access.ts'
import type { CourseFor } from './course-row.ts'
import { unlockDate } from './lesson-access.ts'
import { lockscreenFor } from './lockscreen.ts'
import { requiredCourses } from './prerequisites.ts'
import { instructorById, publishedSections, type SectionHeadRow } from './queries.ts'
import { readCourseSettings } from './settings.ts'

/** The number of students, 0 if the course hides it from the caller. */
const studentsCount = (course: CourseFor, { manage }: CourseAbilities): number =>
  !manage && readCourseSettings(course.settings).hide_members_count === 'yes' ? 0 : course.students_count

const showsInstructor = (course: CourseFor, { manage }: CourseAbilities): boolean =>
  manage || readCourseSettings(course.settings).hide_instructor_view !== 'yes'

export const viewCourse = (actor: Actor, course: CourseFor): Infer<typeof Course> => {
  const abilities = courseAbilities(actor, course)
  const { isEnrolled, manage } = abilities
  const shown = showsInstructor(course, abilities)
  const students = studentsCount(course, abilities)
  const settings = readCourseSettings(course.settings)
  return {
    ...pick(course, 'id', 'title', 'slug', 'description', 'content', 'featured_image', 'logo', 'cover_photo', 'status', 'privacy'),
    ...pick(course, 'course_type', 'difficulty', 'duration', 'lessons_count', 'created_at', 'updated_at'),
    created_by: shown ? course.created_by : null,
    type: 'course',
    category: course.category ?? '',
    price: Number(course.price),
    rating: 0,
    reviews_count: 0,
    instructor_id: shown ? course.instructor_id : null,
    serial: course.position,
    settings: manage ? settings : { ...settings, links: settings.links.filter((link) => link.enabled === 'yes') },
    students_count: students,
    sectionsCount: course.sections_count,
    lessonsCount: course.lessons_count,
    studentsCount: students,
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

export const presentCourse = async ({ db, actor, now }: ReadRequest, course: CourseFor): Promise<Infer<typeof CourseDetail>> => {
  const abilities = courseAbilities(actor, course)
  const { manage } = abilities
  const [instructor, sections, required] = await Promise.all([
    course.instructor_id !== null && showsInstructor(course, abilities) ? instructorById(db, [course.instructor_id]) : undefined,
    publishedSections(db, [course.id]),
    requiredCourses(db, actor, course.id),
  ])
  const seen = required.filter(({ visible }) => visible === 1)
  return {
    ...viewCourse(actor, course),
    progress: course.my_progress ?? 0,
    enrolled_at: course.my_enrolled_at,
    published_at: course.published_at,
    instructor: instructor ?? null,
    sections: sections.map((section) => viewHead(course, manage, now, section)),
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
