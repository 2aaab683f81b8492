export {
  type CourseAbilities,
  type CourseAbility,
  courseAbilities,
  courseFor,
  lockedCourseFor,
  managedCourses,
  managesAllCourses,
  requireCourseManager,
  visibleCourses,
} from './access.ts'
export { createCourse } from './commands.ts'
export {
  type Completed,
  completeLesson,
  eraseCompletions,
  LESSONS_DONE,
  lockLesson,
  percentageOf,
  type RecountInput,
  reconcileCourse,
  reconcileEnrolment,
  recountStudents,
  resetProgress,
  type Student,
  uncompleteLesson,
} from './completion.ts'
export { COURSE_COLUMNS, type CourseFor, courseTables, loadCourse, recountCourse } from './course-row.ts'
export { addStudent, leaveAllCourses, recordLessonAccess } from './enrolment.ts'
export { detachCourses } from './erase.ts'
export {
  courseSetting,
  isPublished,
  type LessonAbility,
  type LessonFor,
  type LessonLock,
  type LessonRecord,
  type LockReason,
  lessonCourse,
  lessonFor,
  lessonIn,
  lessonTables,
  lockOf,
  PUBLISHED_LESSON,
  SECTION_COLUMNS,
  unlockDate,
} from './lesson-access.ts'
export { type LessonAccessLevel, loadLessonAccess } from './lesson-access-batch.ts'
export { nextCoursePosition } from './queries.ts'
export { presentSection, type Section, sectionById, sectionIn, sectionsOf } from './section-queries.ts'
export { createSection, nextSectionPosition, takenSectionSlugs } from './sections.ts'
export { readCourseSettings } from './settings.ts'
export { freeSlug, newCourseSlug } from './slugs.ts'
