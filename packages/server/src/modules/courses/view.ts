import type { Course, Infer } from '@lyceum/contract'
import type { Actor } from '../../core/context.ts'
import { type CourseAbilities, courseAbilities } from './access.ts'
import type { CourseFor } from './course-row.ts'
import { readCourseSettings } from './settings.ts'

/** The number of students, 0 if the course hides it from the caller. */
export const studentsCount = (course: CourseFor, { manage }: CourseAbilities): number =>
  !manage && readCourseSettings(course.settings).hide_members_count === 'yes' ? 0 : course.students_count

export const showsInstructor = (course: CourseFor, { manage }: CourseAbilities): boolean =>
  manage || readCourseSettings(course.settings).hide_instructor_view !== 'yes'

export const viewCourse = (actor: Actor, course: CourseFor): Infer<typeof Course> => {
  const abilities = courseAbilities(actor, course)
  const { isEnrolled, manage } = abilities
  const shown = showsInstructor(course, abilities)
  const students = studentsCount(course, abilities)
  const settings = readCourseSettings(course.settings)
  return {
    id: course.id,
    created_by: shown ? course.created_by : null,
    title: course.title,
    slug: course.slug,
    description: course.description,
    content: course.content,
    featured_image: course.featured_image,
    logo: course.logo,
    cover_photo: course.cover_photo,
    type: 'course',
    status: course.status,
    privacy: course.privacy,
    course_type: course.course_type,
    category: course.category ?? '',
    difficulty: course.difficulty,
    duration: course.duration,
    price: Number(course.price),
    rating: 0,
    reviews_count: 0,
    instructor_id: shown ? course.instructor_id : null,
    serial: course.position,
    settings: manage ? settings : { ...settings, links: settings.links.filter((link) => link.enabled === 'yes') },
    lessons_count: course.lessons_count,
    students_count: students,
    sectionsCount: course.sections_count,
    lessonsCount: course.lessons_count,
    studentsCount: students,
    is_enrolled: isEnrolled,
    isEnrolled,
    ...(isEnrolled && { progress: course.my_progress ?? 0 }),
    created_at: course.created_at,
    updated_at: course.updated_at,
  }
}
