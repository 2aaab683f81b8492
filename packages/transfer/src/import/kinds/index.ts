import type { ArchiveKind } from '@lyceum/contract/archive'
import { importKind } from '../import-kind.ts'
import type { Run } from '../run.ts'
import { bookmarks } from './bookmarks.ts'
import { comments } from './comments.ts'
import { courseCategories } from './course-categories.ts'
import { courseSections } from './course-sections.ts'
import { courses } from './courses.ts'
import { enrolments } from './enrolments.ts'
import { follows } from './follows.ts'
import { lessonCompletions } from './lesson-completions.ts'
import { lessons } from './lessons.ts'
import { media } from './media.ts'
import { memberships } from './memberships.ts'
import { people } from './people.ts'
import { posts } from './posts.ts'
import { quizAttempts } from './quiz-attempts.ts'
import { reactions } from './reactions.ts'
import { reports } from './reports.ts'
import { spaceGroups } from './space-groups.ts'
import { spaces } from './spaces.ts'
import { surveyVotes } from './survey-votes.ts'
import { topics } from './topics.ts'

/** Imports the records of a kind; `total` is for progress reports. */
type Import = (run: Run, total: number | undefined) => Promise<void>

export const IMPORTS: Readonly<Record<ArchiveKind, Import>> = {
  people: (run, total) => importKind(run, people, total),
  media: (run, total) => importKind(run, media, total),
  space_groups: (run, total) => importKind(run, spaceGroups, total),
  spaces: (run, total) => importKind(run, spaces, total),
  memberships: (run, total) => importKind(run, memberships, total),
  topics: (run, total) => importKind(run, topics, total),
  posts: (run, total) => importKind(run, posts, total),
  survey_votes: (run, total) => importKind(run, surveyVotes, total),
  course_categories: (run, total) => importKind(run, courseCategories, total),
  courses: (run, total) => importKind(run, courses, total),
  course_sections: (run, total) => importKind(run, courseSections, total),
  lessons: (run, total) => importKind(run, lessons, total),
  enrolments: (run, total) => importKind(run, enrolments, total),
  lesson_completions: (run, total) => importKind(run, lessonCompletions, total),
  quiz_attempts: (run, total) => importKind(run, quizAttempts, total),
  comments: (run, total) => importKind(run, comments, total),
  reactions: (run, total) => importKind(run, reactions, total),
  bookmarks: (run, total) => importKind(run, bookmarks, total),
  follows: (run, total) => importKind(run, follows, total),
  reports: (run, total) => importKind(run, reports, total),
}
