import type { Up } from './dialect.ts'

export const learning: Up = ({ id, int, text }) => [
  `create table course_categories (id ${id}, title ${text} not null, slug ${text} not null unique)`,
  `create index course_categories_title on course_categories (lower(title), id)`,
  `create table courses (
      id ${id}, title ${text} not null, slug ${text} not null unique, description ${text} not null default '', content ${text} not null default '',
      featured_image ${text} not null default '', logo ${text} not null default '', cover_photo ${text} not null default '',
      status ${text} not null default 'draft' check (status in ('draft', 'published', 'archived')),
      privacy ${text} not null default 'public' check (privacy in ('public', 'private', 'secret')),
      course_type ${text} not null default 'self_paced' check (course_type in ('self_paced', 'structured', 'scheduled')),
      category_id ${int} references course_categories (id) on delete set null, difficulty ${text} not null default 'beginner',
      duration ${text} not null default '', price ${text} not null default '0',
      instructor_id ${int} references users (id) on delete set null, created_by ${int} references users (id) on delete set null,
      serial ${int} not null default 0, settings ${text} not null default '{}', lockscreen ${text} not null default '{}',
      sections_count ${int} not null default 0, lessons_count ${int} not null default 0, students_count ${int} not null default 0,
      created_at ${text} not null, updated_at ${text} not null, published_at ${text})`,
  `create index courses_newest on courses (status, created_at, id)`,
  `create index courses_changed on courses (status, updated_at, id)`,
  `create index courses_title on courses (status, title, id)`,
  `create index courses_instructor on courses (instructor_id)`,
  `create index courses_creator on courses (created_by)`,
  `create index courses_category on courses (category_id)`,
  // Courses that must be completed before enrolling in another.
  `create table course_prerequisites (
      course_id ${int} not null references courses (id) on delete cascade, required_id ${int} not null references courses (id) on delete cascade,
      primary key (course_id, required_id), check (course_id <> required_id))`,
  `create index course_prerequisites_required on course_prerequisites (required_id)`,
  `create table course_sections (
      id ${id}, course_id ${int} not null references courses (id) on delete cascade, title ${text} not null, slug ${text} not null,
      status ${text} not null default 'published' check (status in ('draft', 'published', 'archived')), position ${int} not null,
      days_after ${int} not null default 0, scheduled_at ${text}, created_at ${text} not null, updated_at ${text} not null,
      unique (course_id, slug))`,
  `create index course_sections_order on course_sections (course_id, position, id)`,
  // Lessons have positions within the whole course. The feed references its lesson, and not vice versa: backups copy tables in the
  // order of their references.
  `create table lessons (
      id ${id}, course_id ${int} not null references courses (id) on delete cascade,
      section_id ${int} not null references course_sections (id) on delete cascade, feed_id ${int},
      type ${text} not null check (type in ('lesson', 'quiz')),
      status ${text} not null default 'draft' check (status in ('draft', 'published', 'archived')), position ${int} not null,
      is_preview ${int} not null default 0, slug ${text} not null, title ${text} not null, video_url ${text} not null default '',
      duration ${text} not null default '', resources ${text} not null default '[]', settings ${text} not null default '{}',
      created_at ${text} not null, updated_at ${text} not null, content ${text} not null default '', unique (course_id, slug))`,
  `create index lessons_order on lessons (course_id, position, id, status, section_id)`,
  `create index lessons_section on lessons (section_id, position, id)`,
  `create index lessons_feed on lessons (feed_id)`,
  `alter table feeds add column lesson_id ${int} references lessons (id) on delete cascade`,
  `create index feeds_lesson on feeds (lesson_id) where lesson_id is not null`,

  // enrolled_epoch: the same time in seconds, so that both databases can add days to it.
  `create table enrolments (
      id ${id}, course_id ${int} not null references courses (id) on delete cascade, user_id ${int} not null references users (id) on delete cascade,
      enrolled_at ${text} not null, enrolled_epoch ${int} not null, added_by ${int} references users (id) on delete set null,
      last_accessed_at ${text}, last_lesson_id ${int} references lessons (id) on delete set null,
      completed_lessons ${int} not null default 0, progress ${int} not null default 0, completed_at ${text}, unique (course_id, user_id))`,
  `create index enrolments_user on enrolments (user_id, enrolled_at, id)`,
  `create index enrolments_course on enrolments (course_id, enrolled_at, id)`,
  `create index enrolments_progress on enrolments (course_id, progress, id)`,
  `create index enrolments_added on enrolments (added_by)`,
  `create index enrolments_lesson on enrolments (last_lesson_id)`,
  // A course is completed once, whatever happens to the enrolment later.
  `create table course_completions (
      course_id ${int} not null references courses (id) on delete cascade, user_id ${int} not null references users (id) on delete cascade,
      completed_at ${text} not null, certificate_code ${text} unique, certificate_at ${text}, primary key (course_id, user_id))`,
  `create index course_completions_user on course_completions (user_id)`,
  `create table lesson_completions (
      user_id ${int} not null references users (id) on delete cascade, lesson_id ${int} not null references lessons (id) on delete cascade,
      course_id ${int} not null references courses (id) on delete cascade, completed_at ${text} not null, primary key (user_id, lesson_id))`,
  `create index lesson_completions_lesson on lesson_completions (lesson_id)`,
  `create index lesson_completions_course on lesson_completions (course_id, user_id, lesson_id)`,

  `create table quizzes (
      lesson_id ${int} primary key references lessons (id) on delete cascade, version_id ${int}, passing_score ${int} not null default 70,
      max_attempts ${int} not null default 0, time_limit ${int} not null default 0, show_correct_answers ${int} not null default 1,
      randomize_questions ${int} not null default 0, updated_at ${text} not null)`,
  // Versions of the questions: an attempt is graded by the version that it started with.
  `create table quiz_versions (
      id ${id}, lesson_id ${int} not null references lessons (id) on delete cascade, questions ${text} not null, created_at ${text} not null)`,
  `create index quiz_versions_lesson on quiz_versions (lesson_id, id)`,
  `create table quiz_attempts (
      id ${id}, user_id ${int} not null references users (id) on delete cascade, course_id ${int} not null references courses (id) on delete cascade,
      lesson_id ${int} not null references lessons (id) on delete cascade, version_id ${int} not null references quiz_versions (id) on delete cascade,
      attempt_number ${int} not null, status ${text} not null check (status in ('in_progress', 'completed', 'graded')),
      question_order ${text} not null default '[]', answers ${text} not null default '{}', grades ${text} not null default '{}',
      score ${int}, points_earned ${int} not null default 0, points_possible ${int} not null default 0, total_questions ${int} not null default 0,
      correct_answers ${int} not null default 0, passed ${int} not null default 0, passing_score ${int} not null default 0,
      time_spent ${int} not null default 0, late ${int} not null default 0, started_at ${text} not null, submitted_at ${text}, graded_at ${text},
      graded_by ${int} references users (id) on delete set null, feedback ${text} not null default '',
      unique (user_id, lesson_id, attempt_number))`,
  `create unique index quiz_attempts_open on quiz_attempts (user_id, lesson_id) where status = 'in_progress'`,
  // The lists of administrators in their sort orders, with the columns that they aggregate.
  `create index quiz_attempts_course on quiz_attempts (course_id, submitted_at, id, passed, score, time_spent)
      where submitted_at is not null`,
  `create index quiz_attempts_lesson on quiz_attempts (lesson_id, submitted_at, id, course_id, passed, score, time_spent)
      where submitted_at is not null`,
  `create index quiz_attempts_course_score on quiz_attempts (course_id, score, id, passed) where submitted_at is not null`,
  `create index quiz_attempts_lesson_score on quiz_attempts (lesson_id, score, id, course_id, passed) where submitted_at is not null`,
  `create index quiz_attempts_version on quiz_attempts (version_id)`,
  `create index quiz_attempts_grader on quiz_attempts (graded_by)`,
]
