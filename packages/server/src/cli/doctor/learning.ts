import { LESSONS_DONE } from '../../modules/courses/index.ts'
import type { Check } from './check.ts'

/** Excludes enrolments `e` whose progress a job is recounting in batches. */
const SETTLED = `not exists (select 1 from jobs j where j.name = 'progress.recount' and j.payload like '{"course_id":' || e.course_id || ',%')`

const PERCENT = `case when c.lessons_count = 0 then 0 when d.done >= c.lessons_count then 100 else d.done * 100 / c.lessons_count end`

/** Enrolments with their courses and the number of published lessons that the student has completed. */
const COUNTED = `enrolments e join courses c on c.id = e.course_id join (select e.id, ${LESSONS_DONE} as done from enrolments e) d on d.id = e.id`

/** Checks of lessons, quizzes and progress. */
export const LEARNING: readonly Check[] = [
  {
    name: 'attempt_numbers',
    about: 'the attempts of a member in a quiz are numbered from 1 without a gap',
    find: `select max(id) as id from quiz_attempts group by user_id, lesson_id having min(attempt_number) <> 1 or max(attempt_number) <> count(*)`,
  },
  {
    name: 'attempts_open',
    about: 'a member has at most one open attempt in a quiz',
    find: `select max(id) as id from quiz_attempts where status = 'in_progress' group by user_id, lesson_id having count(*) > 1`,
  },
  {
    name: 'attempts_submitted',
    about: 'a submitted attempt has its score and its times, a graded one the time of its grading, and an open one none of them',
    find: `select id from quiz_attempts where (status = 'in_progress' and (submitted_at is not null or graded_at is not null or passed = 1))
      or (status <> 'in_progress' and (score is null or submitted_at is null or submitted_at < started_at or time_spent < 0))
      or (status = 'graded' and (graded_at is null or graded_at < submitted_at))`,
  },
  {
    name: 'attempt_lessons',
    about: 'an attempt, its questions and its lesson are of the same quiz and course',
    find: `select a.id from quiz_attempts a join lessons l on l.id = a.lesson_id join quiz_versions v on v.id = a.version_id
      where l.course_id <> a.course_id or v.lesson_id <> a.lesson_id or l.type <> 'quiz'`,
  },
  {
    name: 'attempts_passed',
    about: 'an enrolled student who passed a quiz has completed its lesson',
    // The student may undo the completion later; its event is retained for a while.
    find: `select a.id from quiz_attempts a join enrolments e on e.course_id = a.course_id and e.user_id = a.user_id
      left join lesson_completions k on k.user_id = a.user_id and k.lesson_id = a.lesson_id
      left join events v on v.name = 'lesson.completed'
        and v.payload = '{"lesson_id":' || a.lesson_id || ',"course_id":' || a.course_id || ',"user_id":' || a.user_id || '}'
      where a.passed = 1 and k.lesson_id is null and v.id is null and a.submitted_at >= e.enrolled_at
        and a.submitted_at > (select min(created_at) from events)`,
  },
  {
    name: 'completion_courses',
    about: 'a completion has the course of its lesson',
    find: 'select k.lesson_id as id from lesson_completions k join lessons l on l.id = k.lesson_id where l.course_id <> k.course_id',
  },
  {
    name: 'enrolment_progress',
    about: 'completed_lessons and progress of an enrolment match its completions',
    find: `select e.id from ${COUNTED} where (e.completed_lessons <> d.done or e.progress <> ${PERCENT}) and ${SETTLED}`,
    repair: {
      hold: 'enrolments',
      run: [
        `update enrolments set completed_lessons = (select d.done from ${COUNTED} where e.id = $1),
           progress = (select ${PERCENT} from ${COUNTED} where e.id = $1) where id = $1`,
      ],
    },
  },
  {
    name: 'enrolment_completed',
    about: 'an enrolment is completed if and only if all published lessons of its course are, with the completion time of the course',
    find: `select e.id from ${COUNTED} left join course_completions k on k.course_id = e.course_id and k.user_id = e.user_id
      where ((e.completed_at is not null) <> (c.lessons_count > 0 and d.done >= c.lessons_count)
        or (e.completed_at is not null and (k.completed_at is null or k.completed_at <> e.completed_at))) and ${SETTLED}`,
  },
  {
    name: 'certificates',
    about: 'a student has a certificate if and only if they completed the course, unless lessons changed after it was issued',
    find: `select k.course_id || ' ' || k.user_id as id from course_completions k
      where k.certificate_at is not null and (k.certificate_code is null or k.certificate_at < k.completed_at)
      union select e.course_id || ' ' || e.user_id from enrolments e join courses c on c.id = e.course_id
        left join course_completions k on k.course_id = e.course_id and k.user_id = e.user_id
      where ((e.completed_at is not null and k.certificate_at is null)
        or (e.completed_at is null and k.certificate_at is not null and c.lessons_count > 0
          and not exists (select 1 from lessons l where l.course_id = e.course_id and l.updated_at >= k.certificate_at)
          and not exists (select 1 from course_sections s where s.course_id = e.course_id and s.updated_at >= k.certificate_at))) and ${SETTLED}`,
  },
]
