import { COURSE_STATUSES } from '@lyceum/contract'
import { type Answer, type Context, type Fields, type Handler, type Handlers, named, saving } from './operations.ts'
import { findUsers } from './people.ts'
import { fieldsOf, isFields, isTrue, listOf, paginator, renamed, table, textOf, without } from './values.ts'

// ---- courses -----------------------------------------------------------------------------------------------

const SORTS = table<readonly [orderby: string, order: string]>({
  alphabetical: ['title', 'asc'],
  oldest: ['created_at', 'asc'],
  latest: ['created_at', 'desc'],
})

const coursesQuery = ({ query }: Context): Fields => {
  const { sort_by, topic_slug, with_categories: _with, type: _type, ...rest } = query
  const [orderby, order] = SORTS[sort_by ?? ''] ?? [rest['orderby'], rest['order']]
  return { ...rest, category: rest['category'] ?? topic_slug, orderby, order }
}

const detail = async ({ call }: Context, course_id: unknown) => (await call('courses.byId', { params: { course_id } })).data

/** PHP writes a date that it has not formatted as an object. */
const phpDate = (time: string) => ({ date: `${time}.000000`, timezone_type: 3, timezone: 'UTC' })

const outlined = async ({ call }: Context, course: Answer<'courses.byId'>['data']) => ({
  data: course,
  course: {
    ...without({ ...course }, 'sections', 'track'),
    ...(course.instructor_id && {
      instructor_courses: (await call('courses.list', { query: { instructor_id: course.instructor_id, per_page: 1 } })).courses.total,
    }),
  },
  sections: course.sections.map((section) => ({
    ...section,
    created_at: phpDate(section.created_at),
    unlock_date: section.unlock_date ?? '',
    // Outlines do not contain the creation time of lessons.
    lessons: section.lessons.map((lesson) => ({
      ...lesson,
      course_id: course.id,
      section_id: section.id,
      created_at: section.created_at,
    })),
  })),
  track: course.track,
})

const trackOf = async (ctx: Context) => (await detail(ctx, ctx.params['course_id'])).track

const saveCourse = saving('course', detail)

const courseBody = ({ body }: Context): Fields =>
  without(body, 'parent_id', 'category_ids', 'created_by', 'meta_settings', 'lockscreen', 'owner')

const MOST_OUTLINED = 20
const MOST_PAGES = 10

type Course = Answer<'courses.list'>['courses']['data'][number]

/** Courses of a status, or of all statuses in the order of `sort_by`. */
const administered: Handler = async (ctx) => {
  const { status, page = '1', per_page = '15', ...query } = coursesQuery(ctx) as Readonly<Record<string, string | undefined>>
  if (status !== undefined && status !== '') return ctx.call('courses.list', { query: coursesQuery(ctx) })
  const found: Course[] = []
  let rest: Fields = {}
  for (const status of COURSE_STATUSES)
    for (let at = 1, last = 1; at <= Math.min(last, MOST_PAGES); at++) {
      const { courses, ...besides } = await ctx.call('courses.list', { query: { ...query, status, page: at, per_page: 100 } })
      found.push(...courses.data)
      last = courses.last_page
      rest = besides
    }
  const { orderby = 'created_at', order = 'desc' } = query
  const key = (course: Course) => (orderby === 'title' ? course.title.toLowerCase() : course.created_at)
  const sign = order === 'asc' ? 1 : -1
  found.sort((a, b) => sign * (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : a.id - b.id))
  const [at, size] = [Math.max(1, Number(page) || 1), Math.min(100, Math.max(1, Number(per_page) || 15))]
  const courses = paginator(found.slice((at - 1) * size, at * size), { total: found.length, per_page: size, current_page: at })
  return { ...rest, courses }
}

/** All courses with their outlines. */
const allCourses: Handler = async (ctx) => {
  const { courses } = await ctx.call('courses.list', { query: { per_page: MOST_OUTLINED, ...ctx.query } })
  const outlines: object[] = []
  for (const { id } of courses.data) outlines.push(await outlined(ctx, await detail(ctx, id)))
  return { courses: outlines, total: courses.total }
}

// ---- lessons -----------------------------------------------------------------------------------------------

const lessonOf = async ({ call, params }: Context, lesson_id: unknown) =>
  (await call('lessons.byId', { params: { course_id: params['course_id'], lesson_id } })).data

const saveLesson = saving('lesson', lessonOf)
const oneLesson = named('lessons.byId', ['lesson'])

const QUESTION_TYPES = table<string>({
  single_choice: 'multiple_choice',
  multiple_choice: 'multiple_select',
  written_answer: 'short_answer',
})

/** Converts the questions in a lesson's meta to Lyceum's format. */
const quizOf = ({ quiz_questions, passing_score }: Fields): Fields => {
  if (quiz_questions === undefined) return {}
  const questions = listOf(quiz_questions)
    .map(fieldsOf)
    .map((question) => ({
      ...(textOf(question['slug']) && { id: textOf(question['slug']) }),
      type: QUESTION_TYPES[textOf(question['type'])],
      question: question['label'],
      options: listOf(question['options'])
        .map(fieldsOf)
        .map(({ label, is_correct }) => ({ text: label, is_correct: isTrue(is_correct) })),
      ...(question['grading_mode'] === 'exact_match' && { correct_answer: listOf(question['correct_answers']).map(textOf).join('\n') }),
    }))
  return { quiz: { questions, ...(passing_score !== undefined && { settings: { passing_score } }) } }
}

/** Converts a lesson from FluentCommunity's format: top-level fields or an object `lesson`. */
const lessonBody = ({ body }: Context): Fields => {
  const sent: Fields = isFields(body['lesson']) ? body['lesson'] : body
  const { meta, ...rest } = sent
  const { media, document_lists, free_preview_lesson, ...more } = fieldsOf(meta)
  const known = renamed(without(rest, 'id', 'space_id', 'content_type', 'type', 'slug_edited'), {
    message: 'content',
    parent_id: 'section_id',
  })
  return {
    ...known,
    ...(isFields(media) && { video_url: textOf(media['url']) }),
    ...(document_lists !== undefined && {
      resources: listOf(document_lists)
        .map(fieldsOf)
        .map(({ title, url }) => ({ title: textOf(title), url })),
    }),
    ...(free_preview_lesson !== undefined && { is_preview: isTrue(free_preview_lesson) }),
    ...quizOf(more),
  }
}

const newLesson = ({ body }: Context): Fields => {
  const { title, section_id, parent_id, type, content_type } = body
  return { title, section_id: section_id ?? parent_id, type: [type, content_type].includes('quiz') ? 'quiz' : 'lesson' }
}

const complete: Handler = async (ctx) => {
  const answer = await ctx.call('progress.setCompletion', { params: ctx.params, body: ctx.body })
  return { ...answer, track: await trackOf(ctx) }
}

/** FluentCommunity stores sections and lessons as posts of the course owner. */
const postOf = (course: Answer<'courses.byId'>['data'], type: 'course_section' | 'course_lesson'): Fields => ({
  user_id: String(course.created_by ?? 0),
  space_id: String(course.id),
  type,
  message_rendered: null,
  privacy: 'public',
  featured_image: null,
  is_sticky: '0',
  comments_count: 0,
  reactions_count: 0,
  expired_at: null,
  scheduled_at: null,
})

const lessonPosts = async (ctx: Context, query: Fields) => {
  const { params, call } = ctx
  const post = postOf(await detail(ctx, params['course_id']), 'course_lesson')
  const { lessons } = await call('adminLessons.list', { params, query })
  return lessons.map((lesson) => ({ ...post, ...lesson, type: 'course_lesson', is_quiz: lesson.type === 'quiz' }))
}

const sections: Handler = async (ctx) => {
  const { params, call } = ctx
  const answer = await call('courseSections.list', { params, query: ctx.query })
  const post = postOf(await detail(ctx, params['course_id']), 'course_section')
  const lessons = await lessonPosts(ctx, {})
  return {
    ...answer,
    sections: answer.sections.map((section) => ({
      ...post,
      ...section,
      type: 'course_section',
      parent_id: null,
      message: null,
      content_type: 'text',
      meta: {},
      priority: String(section.priority),
      lessons: lessons.filter(({ section_id }) => section_id === section.id),
    })),
  }
}

/** Comments on lessons, newest first. */
const lessonComments: Handler = async ({ call, params, query }) => {
  const { lessons } = await call('adminLessons.list', { params })
  const comments: (Answer<'comments.list'>['comments'][number] & { readonly post: object })[] = []
  for (const { id, title, slug, feed_id, comments_count } of lessons)
    if (feed_id && comments_count)
      for (const comment of (await call('comments.list', { params: { feed_id }, query: { per_page: 100 } })).comments)
        comments.push({ ...comment, post: { id, title, slug, type: 'course_lesson', space_id: params['course_id'] } })
  comments.sort((a, b) => b.id - a.id)
  const [current_page, per_page] = [Math.max(1, Number(query['page']) || 1), Math.max(1, Number(query['per_page']) || 15)]
  const from = (current_page - 1) * per_page
  return { comments: paginator(comments.slice(from, from + per_page), { total: comments.length, per_page, current_page }) }
}

// ---- sections ----------------------------------------------------------------------------------------------

const SECTION = ['section', 'topic']

const positions = (indexes: unknown) =>
  Object.fromEntries(Object.entries(fieldsOf(indexes)).map(([id, position]) => [id, Number(position)]))

// ---- quizzes -----------------------------------------------------------------------------------------------

type Result = Answer<'quizzes.submit'>['quiz_result'] | Answer<'quizzes.result'>['quiz_result']

const resultOf = ({ params }: Context, result: Result, answers: Answer<'quizzes.submit'>['detailed_results']) => {
  const { id, score, passed, status, total_questions, correct_answers, attempt_number, submitted_at } = result
  return {
    id,
    user_id: 'user_id' in result ? result.user_id : null,
    post_id: Number(params['lesson_id']),
    parent_id: Number(params['course_id']),
    score,
    status: status === 'completed' ? 'n/a' : passed ? 'passed' : 'failed',
    message: Object.fromEntries(
      answers.map(({ question_id, is_correct = null, your_answer }) => [question_id, { is_correct, user_answer: your_answer }]),
    ),
    meta: { total_questions, correct_answers, attempts: attempt_number },
    created_at: submitted_at,
    updated_at: submitted_at,
  }
}

const quizResults: Handler = async ({ call, params, query }) => {
  const { filter_by, ...rest } = query
  const answer = await call('adminQuizzes.list', { params, query: { status: filter_by, ...rest } })
  const results = answer.quiz_results.map((row) => ({
    ...row,
    post_id: row.lesson.id,
    status: row.passed ? 'passed' : 'failed',
    user_id: row.xprofile.user_id,
  }))
  return { ...answer, results: paginator(results, answer.pagination) }
}

// ---- students ----------------------------------------------------------------------------------------------

const students: Handler = async ({ call, params, query }) => {
  const answer = await call('adminCourses.students', { params, query })
  const rows = answer.students.data.map(({ space_pivot, ...student }) => ({
    ...student,
    space_pivot: {
      id: student.user_id,
      space_id: String(params['course_id']),
      user_id: String(student.user_id),
      meta: {},
      updated_at: space_pivot.created_at,
      ...space_pivot,
    },
  }))
  return { ...answer, students: { ...answer.students, data: rows } }
}

const MOST_ADDED = 50

export const addStudents: Handler = async ({ call, params, body }) => {
  const ids = listOf(body['user_ids'])
  const counts = { added: 0, skipped: 0, failed: 0 }
  for (const user_id of ids.slice(0, MOST_ADDED)) {
    const outcome = await call('adminCourses.addStudent', { params, body: { user_id } }).then(
      () => 'added' as const,
      (error: { code?: unknown }) => {
        if (error.code === 'already_enrolled') return 'skipped' as const
        if (error.code === 'user_not_found') return 'failed' as const
        throw error
      },
    )
    counts[outcome] += 1
  }
  const processed = Math.min(ids.length, MOST_ADDED)
  return {
    message: `${counts.added} added.`,
    ...counts,
    processed,
    total: ids.length,
    has_more: processed < ids.length,
    next_offset: processed,
  }
}

export const learningHandlers: Handlers = {
  'GET /courses': async (ctx) =>
    ctx.query['type'] === 'enrolled'
      ? ctx.call('courses.mine', { query: { ...ctx.query, status: 'all' } })
      : ctx.call('courses.list', { query: coursesQuery(ctx) }),
  'GET /courses/all-courses': allCourses,
  'GET /courses/{course_id}': async (ctx) => outlined(ctx, await detail(ctx, ctx.params['course_id'])),
  'GET /courses/{course_slug}/by-slug': async (ctx) => outlined(ctx, (await ctx.call('courses.bySlug', { params: ctx.params })).data),
  'GET /courses/{course_slug}/lessons/{lesson_slug}/by-slug': named('lessons.bySlug', ['lesson']),
  'GET /courses/{course_id}/lessons/{lesson_id}': oneLesson,
  'POST /courses/{course_id}/enroll': async (ctx) => ({
    ...(await ctx.call('courses.enroll', { params: ctx.params })),
    track: await trackOf(ctx),
  }),
  'DELETE /courses/{course_id}/progress': async (ctx) => ({
    ...(await ctx.call('progress.reset', { params: ctx.params })),
    track: await trackOf(ctx),
  }),
  'PUT /courses/{course_id}/lessons/{lesson_id}/completion': complete,
  // Lessons never require watching the video.
  'POST /courses/{course_id}/lessons/{lesson_id}/video-watched': async (ctx) => {
    await oneLesson(ctx)
    return { message: '', is_gated: false, watched: true }
  },
  'POST /courses/{course_id}/lessons/{lesson_id}/quiz/submit': async (ctx) => {
    const answer = await ctx.call('quizzes.submit', { params: ctx.params, body: without(ctx.body, 'course_id', 'lesson_id') })
    return { ...answer, result: resultOf(ctx, answer.quiz_result, answer.detailed_results) }
  },
  'GET /courses/{course_id}/lessons/{lesson_id}/quiz/result': async (ctx) => {
    const answer = await ctx.call('quizzes.result', { params: ctx.params, query: ctx.query })
    return { ...answer, result: resultOf(ctx, answer.quiz_result, answer.detailed_results) }
  },

  'GET /admin/courses': administered,
  'GET /admin/courses/{course_id}/comments': lessonComments,
  'GET /admin/courses/{course_id}/sections': sections,
  'GET /admin/courses/{course_id}/lessons': async (ctx) => ({ lessons: await lessonPosts(ctx, ctx.query) }),
  'GET /admin/courses/{course_id}/students': students,
  'POST /admin/courses': saveCourse('courses.create', courseBody),
  'GET /admin/courses/{course_id}': named('courses.byId', ['course']),
  'PUT /admin/courses/{course_id}': saveCourse('courses.update', courseBody),
  'DELETE /admin/courses/{course_id}': ({ call, params }) => call('courses.remove', { params }),
  'POST /admin/courses/{course_id}/duplicate': saveCourse('courseCopies.course'),
  'POST /admin/courses/{course_id}/links': async (ctx) => {
    const links = ctx.body['links']
    const { message } = await ctx.call('courses.update', { params: ctx.params, body: { settings: { links } } })
    return { message, links }
  },
  'GET /admin/courses/{course_id}/meta-settings': async (ctx) => {
    await detail(ctx, ctx.params['course_id'])
    return { meta_settings: {} }
  },
  'GET /admin/courses/{course_id}/users/search': async (ctx) => ({ users: await findUsers(ctx) }),
  'GET /admin/courses/{course_id}/instructors/search': async (ctx) => ({ instructors: (await findUsers(ctx)).data }),
  'POST /admin/courses/{course_id}/students/bulk-add': addStudents,
  'GET /admin/courses/{course_id}/export/students': async ({ call, params, query }) => {
    const { students } = await call('adminCourses.students', { params, query: { per_page: 100, ...query } })
    return {
      students: students.data.map(({ display_name, username, progress, space_pivot, last_activity }) => ({
        Name: display_name,
        Email: '',
        Username: username,
        'Progress %': progress,
        'Enrollment Date': space_pivot.created_at,
        'Last Activity': last_activity ?? '',
      })),
    }
  },
  'GET /admin/courses/{course_id}/export/quiz-results': async ({ call, params, query }) => {
    const { quiz_results } = await call('adminQuizzes.list', { params, query: { per_page: 100, ...query } })
    return {
      results: quiz_results.map(({ xprofile, lesson, score, passed, attempt_number, submitted_at }) => ({
        'Student Name': xprofile.display_name,
        Email: '',
        Username: xprofile.username,
        Quiz: lesson.title,
        Score: score,
        Grade: passed ? 'passed' : 'failed',
        'Total Attempts': attempt_number,
        'Submitted At': submitted_at,
      })),
    }
  },
  'GET /admin/courses/{course_id}/quiz-results': quizResults,
  'POST /admin/courses/{course_id}/quiz-results/{quiz_id}': async ({ call, params, body }) => {
    const answer = await call('adminQuizzes.grade', { params, body })
    return { ...answer, result: { ...answer.quiz_result, status: answer.quiz_result.passed ? 'passed' : 'failed' } }
  },

  'GET /admin/courses/{course_id}/sections/{section_id}': named('courseSections.byId', SECTION),
  'POST /admin/courses/{course_id}/sections': named('courseSections.create', SECTION),
  'PUT /admin/courses/{course_id}/sections/{section_id}': named('courseSections.update', SECTION),
  'PATCH /admin/courses/{course_id}/sections/{section_id}': named('courseSections.patch', SECTION),
  'PUT /admin/courses/{course_id}/copy-section': named('courseCopies.section', SECTION),
  'PATCH /admin/courses/{course_id}/sections/indexes': ({ call, params, body }) =>
    call('courseSections.reorder', { params, body: { indexes: positions(body['indexes']) } }),
  'PATCH /admin/courses/{course_id}/sections/{section_id}/indexes': ({ call, params, body }) =>
    call('adminLessons.reorder', { params, body: { indexes: positions(body['indexes']) } }),
  'POST /admin/courses/{course_id}/lessons': saveLesson('adminLessons.create', newLesson),
  'GET /admin/courses/{course_id}/lessons/{lesson_id}': oneLesson,
  'PUT /admin/courses/{course_id}/lessons/{lesson_id}': saveLesson('lessons.update', lessonBody),
  'PATCH /admin/courses/{course_id}/lessons/{lesson_id}': saveLesson('lessons.update', lessonBody),
  'PUT /courses/{course_id}/lessons/{lesson_id}': saveLesson('lessons.update', lessonBody),
  'DELETE /admin/courses/{course_id}/lessons/{lesson_id}': ({ call, params }) => call('lessons.remove', { params }),
  'POST /admin/courses/{course_id}/lessons/{lesson_id}/duplicate': saveLesson('adminLessons.duplicate'),
}
