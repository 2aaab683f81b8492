/** A course as plain data: what files are read into and written from. Nothing in it is an id of the database. */

export const COURSE_STATUSES = ['draft', 'published', 'archived'] as const
export const PRIVACIES = ['public', 'private', 'secret'] as const
export const COURSE_TYPES = ['self_paced', 'structured', 'scheduled'] as const
export const DIFFICULTIES = ['beginner', 'intermediate', 'advanced'] as const
export const QUESTION_TYPES = ['multiple_choice', 'multiple_select', 'true_false', 'short_answer'] as const

export type Status = (typeof COURSE_STATUSES)[number]

/** A text that becomes safe HTML. */
export interface Content {
  readonly text: string
  readonly format: 'markdown' | 'html'
}

export interface QuestionDraft {
  readonly type: (typeof QUESTION_TYPES)[number]
  readonly question: string
  /** Choices; empty for true_false and short_answer. */
  readonly options: readonly { readonly text: string; readonly is_correct: boolean }[]
  /** true_false: `true` or `false`; short_answer: what counts as right, empty where a person grades. */
  readonly answers: readonly string[]
  readonly points: number
  readonly explanation: string
  /** Where it stands in its file. */
  readonly line: number | null
  /** The file that it stands in, where that is not its lesson's. */
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

/** A file that the addresses `…/media/KEY/…` of a page lead to. */
export interface FileDraft {
  readonly key: string
  /** Where it lies among the files of the course. */
  readonly path: string
  /** What refers to it first. */
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
  /** Null: a lesson to read. */
  readonly quiz: QuizDraft | null
  readonly files: readonly FileDraft[]
  /** The file that it came from, for messages. */
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
  /** As the API has them: yes and no, and a few words. */
  readonly settings: Readonly<Record<string, unknown>>
  readonly sections: readonly SectionDraft[]
  /** Those that the course itself refers to. */
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
