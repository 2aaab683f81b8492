import { client } from '../../lib/client.ts'
import { optimistic } from '../../lib/optimistic.ts'
import { queryClient } from '../../lib/query.ts'
import { type CourseDetail, courseQuery, type Lesson, type LessonDetail, lessonQuery, lessonsQuery, refreshCourse } from './queries.ts'

export const enrol = async (course: CourseDetail): Promise<void> => {
  await client.courses.enroll({ course_id: course.id }, { idempotencyKey: crypto.randomUUID() })
  await refreshCourse()
}

export const leave = async (course: CourseDetail): Promise<void> => {
  await client.courses.unenroll({ course_id: course.id })
  await refreshCourse()
}

const percent = (done: number, all: number) => (all === 0 ? 0 : Math.floor((done * 100) / all))

/** Marks a lesson as completed or not. Returns whether it succeeded. */
export const setCompletion = async (course: CourseDetail, lesson: Lesson, completed: boolean): Promise<boolean> => {
  const list = lessonsQuery(course.id).queryKey
  const one = lessonQuery(course.id, lesson.id).queryKey
  const whole = courseQuery(course.slug).queryKey
  const before = [queryClient.getQueryData(list), queryClient.getQueryData(one), queryClient.getQueryData(whole)] as const
  const mark = <L extends Lesson>(each: L): L => (each.id === lesson.id ? { ...each, is_completed: completed } : each)
  const lessons = before[0]?.map(mark)
  const counted = lessons?.filter(({ status }) => status === 'published') ?? []
  queryClient.setQueryData(list, lessons)
  queryClient.setQueryData(one, (each: LessonDetail | undefined) => each && mark(each))
  queryClient.setQueryData(
    whole,
    (each: CourseDetail | undefined) =>
      each && { ...each, progress: percent(counted.filter(({ is_completed }) => is_completed).length, counted.length) },
  )
  const undo = () => {
    queryClient.setQueryData(list, before[0])
    queryClient.setQueryData(one, before[1])
    queryClient.setQueryData(whole, before[2])
  }
  const ids = { course_id: course.id, lesson_id: lesson.id }
  const done = await optimistic(undo, () => client.progress.setCompletion({ ...ids, state: completed ? 'completed' : 'incomplete' }))
  if (done) void refreshCourse()
  return done
}
