/** A course as plain data without database ids. Readers return it, writers take it. */

export const COURSE_STATUSES = ['draft', 'published', 'archived'] as const
export const PRIVACIES = ['public', 'private', 'secret'] as const
export const COURSE_TYPES = ['self_paced', 'structured', 'scheduled'] as const
export const DIFFICULTIES = ['beginner', 'intermediate', 'advanced'] as const
export const QUESTION_TYPES = ['multiple_choice', 'multiple_select', 'true_false', 'short_answer'] as const

export type Status = (typeof COURSE_STATUSES)[number]

/** Text that is not rendered and sanitized yet. */
export interface Content {
  readonly text: string
  readonly format: 'markdown' | 'html'
}

export interface QuestionDraft {
  readonly type: (typeof QUESTION_TYPES)[number]
  readonly question: string
  /** Choices; empty for true_false and short_answer. */
  readonly options: readonly { readonly text: string; readonly is_correct: boolean }[]
  /** true_false: `true` or `false`; short_answer: accepted answers, empty for manual grading. */
  readonly answers: readonly string[]
  readonly points: number
  readonly explanation: string
  /** Line in the file. */
  readonly line: number | null
  /** Source file, if it differs from that of the lesson. */
  readonly file?: string
}

export interface QuizSettings {
  readonly passing_score?: number
  readonly max_attempts?: number
  readonly time_limit?: number
  readonly show_correct_answers?: boolean
  readonly randomize_questions?: boolean
}

export interface QuizDraft {
  readonly settings: QuizSettings
  readonly questions: readonly QuestionDraft[]
}

/** A file that a page links to as `…/media/KEY/…`. */
export interface FileDraft {
  readonly key: string
  /** Path in the course. */
  readonly path: string
  /** The first page that refers to it. */
  readonly file: string
  readonly line: number | null
}

export interface LessonDraft {
  readonly title: string
  readonly slug: string
  readonly status: Status
  readonly content: Content
  readonly video_url: string
  readonly duration: string
  readonly is_preview: boolean
  readonly resources: readonly { readonly title: string; readonly url: string }[]
  /** Null for a lesson without questions. */
  readonly quiz: QuizDraft | null
  readonly files: readonly FileDraft[]
  /** The source file, for messages. */
  readonly file: string
}

export interface SectionDraft {
  readonly title: string
  readonly slug: string
  readonly status: Status
  readonly days_after: number
  readonly scheduled_at: string | null
  readonly lessons: readonly LessonDraft[]
  readonly file: string
}

export interface CourseDraft {
  readonly title: string
  readonly slug: string
  readonly description: string
  readonly content: Content
  readonly status: Status
  readonly privacy: (typeof PRIVACIES)[number]
  readonly course_type: (typeof COURSE_TYPES)[number]
  readonly difficulty: (typeof DIFFICULTIES)[number]
  readonly category: string
  readonly duration: string
  readonly price: number
  readonly featured_image: string
  readonly logo: string
  readonly cover_photo: string
  /** The settings in the form of the API. */
  readonly settings: Readonly<Record<string, unknown>>
  readonly sections: readonly SectionDraft[]
  /** Files that the course page refers to. */
  readonly files: readonly FileDraft[]
  readonly file: string
}

export const countsOf = ({ sections, files }: CourseDraft) => {
  const lessons = sections.flatMap((section) => section.lessons)
  const quizzes = lessons.flatMap(({ quiz }) => (quiz ? [quiz] : []))
  return {
    sections: sections.length,
    lessons: lessons.length,
    quizzes: quizzes.length,
    questions: quizzes.reduce((sum, { questions }) => sum + questions.length, 0),
    files: new Set([...files, ...lessons.flatMap((lesson) => lesson.files)].map(({ path }) => path)).size,
  }
}
