export {
  COURSE_STATUSES,
  type Content,
  type CourseDraft,
  countsOf,
  type FileDraft,
  type LessonDraft,
  type QuestionDraft,
  type QuizDraft,
  type SectionDraft,
  type Status,
} from './course-model.ts'
export { readGift } from './gift/read-gift.ts'
export { htmlToText } from './html-to-text.ts'
export { writeCoursePages } from './markdown/write-course.ts'
export { type OpenOptions, openSource, SOURCE_NAMES, type SourceName } from './open-source.ts'
export { readQti } from './qti/read-qti.ts'
export { isGift, isQti, type NamedQuiz, readQuizFile } from './quiz-file.ts'
export { readCourse } from './read-course.ts'
export { createReport, type Finding, findingLine, type Report } from './report.ts'
export { type Entry, type Source, type Unreadable, UnreadableSource } from './source.ts'
export type { Tree } from './tree.ts'
