export {
  type CourseAbilities,
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
  completeLesson,
  LESSONS_DONE,
  lockLesson,
  percentageOf,
  type RecountInput,
  reconcileCourse,
  recountStudents,
  resetProgress,
  uncompleteLesson,
} from './completion.ts'
export { type CourseFor, courseTables, loadCourse, ownerOf, recountCourse } from './course-row.ts'
export { addStudent, recordLessonAccess } from './enrolment.ts'
export { leaveAllCourses } from './erase.ts'
export { type CompletionFacts, loadCompletionFacts, loadStudentFacts, type StudentFacts } from './facts.ts'
export {
  courseSetting,
  isPublished,
  type LessonFor,
  type LessonLock,
  type LessonRecord,
  lessonCourse,
  lessonFor,
  lessonIn,
  lessonTables,
  locksOf,
  PUBLISHED_LESSON,
  SECTION_COLUMNS,
} from './lesson-access.ts'
export { type LessonAccessLevel, loadLessonAccess } from './lesson-access-batch.ts'
export { nextCoursePosition } from './queries.ts'
export { presentSection, type Section, sectionById, sectionIn, sectionsOf } from './section-queries.ts'
export { closeLessonGaps, createSection, nextSectionPosition, takenSectionSlugs } from './sections.ts'
export { courseSlugs, freeSlug } from './slugs.ts'
export { viewCourse, visibleCourse } from './view.ts'
