import { describe, expect, test } from 'vitest'
import { COURSE, LESSON, OUTLINE, PERSON, pageOf, TRACK, USER } from '../shapes.ts'
import { useStage } from '../stage.ts'

const { as, here } = useStage()
const DONE = { message: 'str' } as const

describe('courses', () => {
  test('as students read them', async () => {
    const { school, quiz } = here()
    const course = school.courseId
    await as('ana', 'GET', '/courses?type=&sort_by=alphabetical&with_categories=1', { courses: pageOf(COURSE), course_categories: 'list' })
    await as('ana', 'GET', '/courses?type=enrolled', { courses: pageOf(COURSE) })
    await as('ana', 'GET', `/courses/${course}`, OUTLINE)
    const { sections } = await as('ana', 'GET', `/courses/${school.slug}/by-slug?intended_lesson_slug=`, OUTLINE)
    await as('ana', 'GET', '/courses/all-courses', { courses: [{ course: COURSE, sections: 'list', track: TRACK }], total: 'int' })
    const { lesson } = await as('ana', 'GET', `/courses/${school.slug}/lessons/${sections[0].lessons[0].slug}/by-slug`, { lesson: LESSON })
    expect(lesson.content).toMatch(/Content of/)
    const done = await as(
      'ana',
      'PUT',
      `/courses/${course}/lessons/${lesson.id}/completion`,
      { message: 'str', track: TRACK, is_completed: 'bool' },
      { state: 'completed' },
    )
    expect(done).toMatchObject({ is_completed: true, track: { completed_lessons: [lesson.id], progress: 50 } })
    await as(
      'ana',
      'POST',
      `/courses/${course}/lessons/${lesson.id}/video-watched`,
      { message: 'str', is_gated: 'bool', watched: 'bool' },
      { watched_percent: 90 },
    )
    await as('ana', 'DELETE', `/courses/${course}/progress`, { message: 'str', track: TRACK })
    await as('ben', 'POST', `/courses/${course}/enroll`, { message: 'str', track: TRACK })
    const RESULT = {
      result: {
        id: 'int',
        score: 'int',
        status: 'str',
        message: 'obj',
        meta: { total_questions: 'int', correct_answers: 'int', attempts: 'int' },
      },
    } as const
    const { lesson: asked } = await as('admin', 'GET', `/admin/courses/${quiz.course_id}/lessons/${quiz.lesson_id}`, {
      lesson: { ...LESSON, content_type: 'str' },
    })
    const { quiz_questions: questions } = asked.meta
    expect(questions[0]).toMatchObject({ slug: expect.any(String), type: expect.any(String), label: expect.any(String) })
    const answers = Object.fromEntries(questions.map(({ slug }: { slug: string }) => [slug, 'true']))
    const { result } = await as(
      'ana',
      'POST',
      `/courses/${quiz.course_id}/lessons/${quiz.lesson_id}/quiz/submit`,
      { message: 'str', ...RESULT },
      { course_id: quiz.course_id, lesson_id: quiz.lesson_id, answers },
    )
    expect(['passed', 'failed']).toContain(result.status)
    await as('ana', 'GET', `/courses/${quiz.course_id}/lessons/${quiz.lesson_id}/quiz/result`, RESULT)
    const { results } = await as('admin', 'GET', `/admin/courses/${quiz.course_id}/quiz-results?filter_by=all&search=`, {
      results: pageOf({ id: 'int', score: 'int', status: 'str', xprofile: PERSON }),
    })
    await as(
      'admin',
      'POST',
      `/admin/courses/${quiz.course_id}/quiz-results/${results.data[0].id}`,
      { message: 'str', result: { id: 'int', status: 'str' } },
      { status: 'passed' },
    )
    await as('admin', 'GET', `/admin/courses/${quiz.course_id}/export/quiz-results`, {
      results: [{ 'Student Name': 'str', Score: 'int', Grade: 'str' }],
    })
  })

  test('as teachers run them', async () => {
    const SAVED = { message: 'str', course: COURSE } as const
    const { course } = await as('admin', 'POST', '/admin/courses', SAVED, {
      title: 'Compost',
      description: 'Earth',
      privacy: 'public',
      course_type: 'self_paced',
      status: 'draft',
      category_ids: [],
      parent_id: '',
    })
    const base = `/admin/courses/${course.id}`
    await as('admin', 'PUT', base, SAVED, {
      title: 'Compost',
      privacy: 'public',
      description: 'Dark earth',
      status: 'published',
      course_type: 'self_paced',
    })
    await as('admin', 'GET', base, { course: COURSE })
    await as('admin', 'GET', '/admin/courses?status=published&sort_by=latest&search=', {
      courses: pageOf(COURSE),
      course_categories: 'list',
    })
    const { section } = await as(
      'admin',
      'POST',
      `${base}/sections`,
      { message: 'str', section: { id: 'int', title: 'str', status: 'str', priority: 'int' } },
      { title: 'The heap' },
    )
    await as('admin', 'GET', `${base}/sections`, { sections: [{ id: 'int', title: 'str', lessons: 'list' }] })
    await as('admin', 'GET', `${base}/sections/${section.id}`, { topic: { id: 'int', title: 'str' } })
    await as(
      'admin',
      'PUT',
      `${base}/sections/${section.id}`,
      { message: 'str', topic: { id: 'int' } },
      { title: 'Heaps', status: 'published' },
    )
    await as('admin', 'PATCH', `${base}/sections/${section.id}`, { message: 'str', topic: { id: 'int' } }, { title: 'The heap' })
    await as('admin', 'PATCH', `${base}/sections/indexes`, { message: 'str', sections: ['obj'] }, { indexes: { [section.id]: '1' } })
    const MADE = { message: 'str', lesson: LESSON } as const
    const { lesson } = await as('admin', 'POST', `${base}/lessons`, MADE, { title: 'What goes in', section_id: String(section.id) })
    const saved = await as('admin', 'PUT', `${base}/lessons/${lesson.id}`, MADE, {
      lesson: {
        id: lesson.id,
        title: 'What goes in',
        message: '<p>Leaves</p>',
        status: 'published',
        parent_id: section.id,
        space_id: course.id,
        meta: {
          media: { type: 'oembed', url: 'https://video.example/x' },
          document_lists: [],
          free_preview_lesson: 'yes',
          enable_comments: 'yes',
        },
      },
    })
    expect(saved.lesson).toMatchObject({
      content: expect.stringContaining('Leaves'),
      meta: { media: { url: 'https://video.example/x' }, free_preview_lesson: 'yes' },
    })
    await as('admin', 'PATCH', `${base}/lessons/${lesson.id}`, MADE, { title: 'What to add' })
    await as('admin', 'GET', `${base}/lessons?topic_id=${section.id}`, { lessons: [LESSON] })
    await as(
      'admin',
      'PATCH',
      `${base}/sections/${section.id}/indexes`,
      { message: 'str', lessons: [LESSON] },
      { indexes: { [lesson.id]: '1' } },
    )
    const { lesson: copy } = await as('admin', 'POST', `${base}/lessons/${lesson.id}/duplicate`, MADE)
    await as('admin', 'PUT', `${base}/move-lesson`, DONE, { lesson_id: copy.id, section_id: section.id })
    const { lesson: test } = await as('admin', 'POST', `${base}/lessons`, MADE, {
      title: 'Questions',
      section_id: section.id,
      content_type: 'quiz',
    })
    const asked = await as('admin', 'PUT', `${base}/lessons/${test.id}`, MADE, {
      lesson: {
        title: 'Questions',
        status: 'published',
        parent_id: section.id,
        meta: {
          passing_score: '60',
          quiz_questions: [
            {
              slug: 'q_1',
              type: 'single_choice',
              label: 'What goes in?',
              options: [{ label: 'Leaves', is_correct: true }, { label: 'Meat' }],
            },
          ],
        },
      },
    })
    expect(asked.lesson.meta).toMatchObject({
      passing_score: 60,
      quiz_questions: [{ slug: 'q_1', type: 'single_choice', label: 'What goes in?', options: [{ label: 'Leaves' }, { label: 'Meat' }] }],
    })
    const added = await as(
      'admin',
      'POST',
      `${base}/students/bulk-add`,
      { added: 'int', skipped: 'int', failed: 'int', processed: 'int', total: 'int', has_more: 'bool' },
      { user_ids: [here().ana.id, here().ben.id, 987654] },
    )
    expect(added).toMatchObject({ added: 2, failed: 1, total: 3 })
    const answered = await as(
      'ana',
      'POST',
      `/courses/${course.id}/lessons/${test.id}/quiz/submit`,
      { result: { score: 'int', status: 'str' } },
      { answers: { q_1: 'Leaves' } },
    )
    expect(answered.result).toMatchObject({ score: 100, status: 'passed', message: { q_1: { is_correct: true } } })
    await as('admin', 'GET', `${base}/students?search=&sort_by=created_at`, {
      students: pageOf({ ...PERSON, progress: 'int', space_pivot: 'obj' }),
    })
    await as('admin', 'GET', `${base}/export/students`, {
      students: [{ Name: 'str', Username: 'str', 'Progress %': 'int', 'Enrollment Date': 'time' }],
    })
    await as('admin', 'DELETE', `${base}/students/${here().ben.id}/progress`, DONE)
    await as('admin', 'DELETE', `${base}/students/${here().ben.id}`, DONE)
    await as('admin', 'POST', `${base}/students`, DONE, { user_id: here().ben.id })
    await as('admin', 'GET', `${base}/users/search?search=an`, { users: { data: [USER] } })
    await as('admin', 'GET', `${base}/instructors/search?search=an`, { instructors: [USER] })
    await as(
      'admin',
      'POST',
      `${base}/links`,
      { message: 'str', links: ['obj'] },
      { links: [{ title: 'Home', permalink: 'https://example.org/' }] },
    )
    await as('admin', 'GET', `${base}/meta-settings`, { meta_settings: 'obj' })
    const { section: copied } = await as(
      'admin',
      'PUT',
      `${base}/copy-section`,
      { message: 'str', section: { id: 'int' } },
      { section_id: section.id, from_course_id: course.id },
    )
    await as('admin', 'DELETE', `${base}/sections/${copied.id}`, DONE)
    const { course: twin } = await as('admin', 'POST', `${base}/duplicate`, SAVED)
    await as('admin', 'DELETE', `${base}/lessons/${lesson.id}`, DONE)
    await as('admin', 'DELETE', `/admin/courses/${twin.id}`, DONE)
  })
})
