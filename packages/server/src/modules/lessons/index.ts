export { addLessons, type LessonAdder } from './bulk-create.ts'
