import type { Client, Inputs } from '@lyceum/sdk'
import { admin } from './browser.ts'

export type QuizInput = NonNullable<Inputs['lessons']['update']['quiz']>
type CourseInput = Omit<Inputs['courses']['create'], 'title' | 'description'>

/** One question of each type: `q1` to `q4`. Correct answers are `b`, `a` and `c`, true, and “Five” or “5”. */
export const EVERY_KIND: NonNullable<QuizInput['questions']> = [
  {
    id: 'q1',
    type: 'multiple_choice',
    question: 'Which star stays where it is?',
    options: [
      { id: 'a', text: 'Sirius', is_correct: false },
      { id: 'b', text: 'The North Star', is_correct: true },
    ],
    explanation: 'The axis of the Earth points at it.',
  },
  {
    id: 'q2',
    type: 'multiple_select',
    question: 'Which of these are planets?',
    options: [
      { id: 'a', text: 'Mars', is_correct: true },
      { id: 'b', text: 'The Moon', is_correct: false },
      { id: 'c', text: 'Venus', is_correct: true },
    ],
  },
  { id: 'q3', type: 'true_false', question: 'Planets do not twinkle.', correct_answer: true },
  { id: 'q4', type: 'short_answer', question: 'How many times the distance is it?', correct_answer: 'Five\n5' },
]

/** Lessons by title: a text or a quiz. */
export type Parts = Readonly<Record<string, string | QuizInput>>

export interface MadeCourse {
  readonly id: number
  readonly slug: string
  /** Lesson IDs by title. */
  readonly lessons: Readonly<Record<string, number>>
}

const makeLesson = async (client: Client, course_id: number, section_id: number, title: string, part: string | QuizInput) => {
  const type = typeof part === 'string' ? 'lesson' : 'quiz'
  const { data } = await client.adminLessons.create({ course_id, section_id, title, type })
  const written = typeof part === 'string' ? { content: `<p>${part}</p>` } : { quiz: part }
  await client.lessons.update({ course_id, lesson_id: data.id, status: 'published', ...written })
  return data.id
}

/** Creates a course of the administrator, published by default, from sections and lessons by title. */
export const makeCourse = async (title: string, sections: Readonly<Record<string, Parts>>, more: CourseInput = {}): Promise<MadeCourse> => {
  const client = admin()
  const { data } = await client.courses.create({ title, description: `All about ${title}`, status: 'published', ...more })
  const lessons: Record<string, number> = {}
  for (const [name, parts] of Object.entries(sections)) {
    const { data: section } = await client.courseSections.create({ course_id: data.id, title: name })
    for (const [lesson, part] of Object.entries(parts)) lessons[lesson] = await makeLesson(client, data.id, section.id, lesson, part)
  }
  return { id: data.id, slug: data.slug, lessons }
}
