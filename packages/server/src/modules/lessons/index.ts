export { type AddedLesson, addLessons, type LessonAdder } from './bulk-create.ts'
export { createLesson, updateLesson } from './commands.ts'
