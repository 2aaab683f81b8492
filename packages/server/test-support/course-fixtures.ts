import type { Member, World } from './world.ts'

type CourseFields = Omit<Parameters<Member['api']['courses']['create']>[0], 'title' | 'description'>
type LessonFields = Omit<Parameters<Member['api']['lessons']['update']>[0], 'course_id' | 'lesson_id'>

export interface School {
  readonly courseId: number
  readonly slug: string
  readonly sectionId: number
  /** Ids of its published lessons, in order. */
  readonly lessons: readonly number[]
  /** Slug of the first of them; empty if there is none. */
  readonly lessonSlug: string
}

let made = 0

/** Creates a published section. */
export const makeSection = async (teacher: Member, courseId: number, fields: object = {}): Promise<number> => {
  made += 1
  const { status, text, body } = await teacher.raw('POST', `/admin/courses/${courseId}/sections`, { title: `Section ${made}`, ...fields })
  if (status !== 201) throw new Error(text)
  return body.data.id
}

/** Creates a lesson and updates it, which publishes it unless the fields say otherwise. */
export const makeLesson = async (
  teacher: Member,
  courseId: number,
  sectionId: number,
  fields: LessonFields & { type?: 'lesson' | 'quiz' } = {},
) => {
  made += 1
  const { title = `Lesson ${made}`, type = 'lesson', ...rest } = fields
  const { data } = await teacher.api.adminLessons.create({ course_id: courseId, section_id: sectionId, title, type })
  await teacher.api.lessons.update({
    course_id: courseId,
    lesson_id: data.id,
    status: 'published',
    content: `<p>Content of ${title}</p>`,
    ...rest,
  })
  return data.id
}

/** A published public course with one section, a number of published lessons, and students. */
export const makeSchool = async (
  teacher: Member,
  { lessons = 2, students = [], ...fields }: CourseFields & { lessons?: number; students?: readonly Member[] } = {},
): Promise<School> => {
  made += 1
  const { data } = await teacher.api.courses.create({ title: `Course ${made}`, description: 'A course', status: 'published', ...fields })
  const sectionId = await makeSection(teacher, data.id)
  const ids: number[] = []
  for (let i = 0; i < lessons; i++) ids.push(await makeLesson(teacher, data.id, sectionId))
  for (const student of students) await teacher.raw('POST', `/admin/courses/${data.id}/students`, { user_id: student.id })
  const [first] = (await teacher.api.lessons.list({ course_id: data.id })).data
  return { courseId: data.id, slug: data.slug, sectionId, lessons: ids, lessonSlug: first?.slug ?? '' }
}

/** Enrols many users without credentials by direct inserts, for tests of large courses. */
export const crowd = (world: World, courseId: number, size: number): Promise<void> =>
  world.app.write(null, async ({ db, now }) => {
    for (let from = 0; from < size; from += 500) {
      const names = Array.from({ length: Math.min(500, size - from) }, (_, i) => `crowd${courseId}x${from + i}`)
      const people = await db
        .insertInto('users')
        .values(
          names.map((username) => ({
            username,
            email: `${username}@example.org`,
            display_name: username,
            created_at: now,
            updated_at: now,
          })) as never,
        )
        .returning('id')
        .execute()
      await db
        .insertInto('enrolments')
        .values(
          people.map(({ id }) => ({
            course_id: courseId,
            user_id: id,
            enrolled_at: now,
            enrolled_epoch: 0,
            added_by: null,
            last_accessed_at: null,
            last_lesson_id: null,
            completed_at: null,
          })),
        )
        .execute()
    }
    await db
      .updateTable('courses')
      .set((of) => ({ students_count: of('students_count', '+', size) }))
      .where('id', '=', courseId)
      .execute()
  })
