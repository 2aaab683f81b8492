import type { Generated } from 'kysely'
import type { Datetime, Flag, Json } from './types.ts'

export interface CourseCategoryRow {
  id: Generated<number>
  title: string
  slug: string
}

export interface CourseRow {
  id: Generated<number>
  title: string
  slug: string
  description: Generated<string>
  /** Safe HTML. */
  content: Generated<string>
  featured_image: Generated<string>
  logo: Generated<string>
  cover_photo: Generated<string>
  status: Generated<'draft' | 'published' | 'archived'>
  privacy: Generated<'public' | 'private' | 'secret'>
  course_type: Generated<'self_paced' | 'structured' | 'scheduled'>
  category_id: number | null
  difficulty: Generated<'beginner' | 'intermediate' | 'advanced'>
  duration: Generated<string>
  /** A decimal number as text. */
  price: Generated<string>
  instructor_id: number | null
  created_by: number | null
  position: Generated<number>
  settings: Generated<Json>
  lockscreen: Generated<Json>
  /** Published sections. */
  sections_count: Generated<number>
  /** Published lessons in published sections, the basis of progress. */
  lessons_count: Generated<number>
  students_count: Generated<number>
  created_at: Datetime
  updated_at: Datetime
  published_at: Datetime | null
}

/** A course that must be completed before enrolling in another. */
export interface CoursePrerequisiteRow {
  course_id: number
  required_id: number
}

export interface CourseSectionRow {
  id: Generated<number>
  course_id: number
  title: string
  slug: string
  status: Generated<'draft' | 'published' | 'archived'>
  position: number
  /** In a structured course: days after enrolment at which it unlocks. */
  days_after: Generated<number>
  /** In a scheduled course: when it unlocks. */
  scheduled_at: Datetime | null
  created_at: Datetime
  updated_at: Datetime
}

export interface LessonRow {
  id: Generated<number>
  course_id: number
  section_id: number
  /** The feed of its comments. */
  feed_id: number | null
  type: 'lesson' | 'quiz'
  status: Generated<'draft' | 'published' | 'archived'>
  /** Its position in the whole course. */
  position: number
  is_preview: Generated<Flag>
  slug: string
  title: string
  video_url: Generated<string>
  duration: Generated<string>
  resources: Generated<Json>
  settings: Generated<Json>
  created_at: Datetime
  updated_at: Datetime
  /** Safe HTML. */
  content: Generated<string>
}

export interface EnrolmentRow {
  id: Generated<number>
  course_id: number
  user_id: number
  enrolled_at: Datetime
  /** The same time in seconds. */
  enrolled_epoch: number
  added_by: number | null
  last_accessed_at: Datetime | null
  last_lesson_id: number | null
  completed_lessons: Generated<number>
  /** Percentage of the published lessons. */
  progress: Generated<number>
  /** When the course was first completed; null while it is not. */
  completed_at: Datetime | null
}

/** The first completion of a course; it outlives the enrolment. */
export interface CourseCompletionRow {
  course_id: number
  user_id: number
  completed_at: Datetime
  /** Kept while the certificate is suspended, so that the code does not change. */
  certificate_code: string | null
  /** null: the certificate is not valid, since the member is not enrolled or has not completed the course. */
  certificate_at: Datetime | null
}

export interface LessonCompletionRow {
  user_id: number
  lesson_id: number
  course_id: number
  completed_at: Datetime
}

export interface QuizRow {
  lesson_id: number
  /** The current questions. */
  version_id: number | null
  passing_score: Generated<number>
  /** 0: unlimited. */
  max_attempts: Generated<number>
  /** Seconds; 0: none. */
  time_limit: Generated<number>
  show_correct_answers: Generated<Flag>
  randomize_questions: Generated<Flag>
  updated_at: Datetime
}

export interface QuizVersionRow {
  id: Generated<number>
  lesson_id: number
  questions: Json
  created_at: Datetime
}

export interface QuizAttemptRow {
  id: Generated<number>
  user_id: number
  course_id: number
  lesson_id: number
  version_id: number
  attempt_number: number
  status: 'in_progress' | 'completed' | 'graded'
  /** Question ids in the order of this attempt. */
  question_order: Generated<Json>
  answers: Generated<Json>
  /** Manual grades by question. */
  grades: Generated<Json>
  score: number | null
  points_earned: Generated<number>
  points_possible: Generated<number>
  total_questions: Generated<number>
  correct_answers: Generated<number>
  passed: Generated<Flag>
  passing_score: Generated<number>
  /** Seconds. */
  time_spent: Generated<number>
  late: Generated<Flag>
  started_at: Datetime
  submitted_at: Datetime | null
  graded_at: Datetime | null
  graded_by: number | null
  feedback: Generated<string>
}
