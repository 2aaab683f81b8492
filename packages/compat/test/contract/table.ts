import type { Shape } from '../shapes.ts'
import type { Stage } from '../stage.ts'

type Who = 'admin' | 'ana' | 'ben'

/** A request of a client, and what it reads of the answer. Names in braces are those of the stage. */
export type Request = readonly [who: Who, path: string, shape: Shape]

/** The path with ids and slugs of the stage. */
export const pathOn = ({ space, feed, comment, school, quiz, feedSlug, topic, lessonSlug }: Place, path: string) => {
  const values: Readonly<Record<string, string | number>> = {
    space: space.slug,
    space_id: space.id,
    feed,
    feedSlug,
    comment,
    topic,
    course: school.courseId,
    courseSlug: school.slug,
    section: school.sectionId,
    lesson: school.lessons[0] ?? 0,
    lessonSlug,
    quizCourse: quiz.course_id,
    quizLesson: quiz.lesson_id,
  }
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name]
    if (value === undefined) throw new Error(`the stage has no ${name}`)
    return String(value)
  })
}

export interface Place extends Stage {
  readonly feedSlug: string
  readonly lessonSlug: string
  readonly topic: number
}

/** How many fields a shape names. */
export const fieldsIn = (shape: Shape): number =>
  typeof shape === 'string'
    ? 0
    : Array.isArray(shape)
      ? fieldsIn(shape[0] as Shape)
      : Object.values(shape).reduce<number>((sum, inner) => sum + 1 + fieldsIn(inner as Shape), 0)
