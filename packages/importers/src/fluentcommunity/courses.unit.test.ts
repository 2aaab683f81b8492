import { describe, expect, test } from 'vitest'
import { htmlOfBlocks } from './blocks.ts'
import { php, type Rows, read } from './small-site.ts'

const course = (id: number, course_type: string, more: Rows[string][number] = {}) => ({
  id,
  type: 'course',
  slug: `c${id}`,
  title: `C${id}`,
  created_by: 2,
  settings: php({ course_type, emoji: 'x' }),
  ...more,
})
const section = (id: number, space_id: number, more: Rows[string][number] = {}) => ({
  id,
  type: 'course_section',
  space_id,
  title: `S${id}`,
  slug: `s${id}`,
  priority: id,
  ...more,
})
const lesson = (id: number, space_id: number, parent_id: number, more: Rows[string][number] = {}) => ({
  id,
  type: 'course_lesson',
  space_id,
  parent_id,
  title: `L${id}`,
  slug: `l${id}`,
  ...more,
})

describe('courses', () => {
  test('have an instructor, a type and settings', async () => {
    const { records } = await read('courses', {
      fcom_spaces: [
        course(5, 'structured', { cover_photo: 'https://x.example/c.png' }),
        course(6, 'odd', { status: 'draft', created_by: null }),
      ],
    })
    expect(records).toMatchObject([
      {
        id: '5',
        urls: ['/hub/course/c5/lessons', '/hub/course/c5'],
        instructor: '2',
        course_type: 'structured',
        settings: { emoji: 'x' },
        status: 'published',
        published_at: '2024-07-01 10:00:00',
        featured_image_url: 'https://x.example/c.png',
      },
      { course_type: 'self_paced', status: 'draft' },
    ])
    expect(records[0]?.settings).toEqual({ emoji: 'x' })
  })

  test('with markup in their description have it as their text', async () => {
    const { records } = await read('courses', {
      fcom_spaces: [
        course(1, 'self_paced', { description: '<p>All about <strong>bees</strong></p>' }),
        course(2, 'self_paced', { description: '1 < 2' }),
      ],
    })
    expect(records.map(({ description, content }) => [description, content])).toEqual([
      ['All about bees', '<p>All about <strong>bees</strong></p>'],
      ['1 < 2', undefined],
    ])
  })

  test('sections open by days or dates, as the type of the course says', async () => {
    const more = { reactions_count: 7, scheduled_at: '2025-01-06 09:00:00' }
    const { records, skipped } = await read('course_sections', {
      fcom_spaces: [course(1, 'self_paced'), course(2, 'structured'), course(3, 'scheduled')],
      fcom_posts: [section(1, 1, more), section(2, 2, more), section(3, 3, more), section(4, 99)],
    })
    expect(records.map(({ days_after, scheduled_at }) => [days_after, scheduled_at])).toEqual([
      [undefined, undefined],
      [7, undefined],
      [undefined, '2025-01-06 08:00:00'],
    ])
    expect(skipped).toEqual(['4: its course does not exist in the source'])
  })

  test('lessons: text, video, length, preview', async () => {
    const meta = php({ media: { type: 'oembed', url: 'https://youtu.be/x' }, video_length: 3723, free_preview_lesson: 'yes' })
    const { records } = await read('lessons', {
      fcom_spaces: [course(1, 'self_paced')],
      fcom_posts: [
        section(1, 1),
        lesson(2, 1, 1, { message: '<!-- wp:paragraph -->\n<p>Hi</p>\n<!-- /wp:paragraph -->', meta, priority: 4, status: 'draft' }),
      ],
    })
    expect(records).toEqual([
      {
        id: '2',
        urls: ['/hub/course/c1/lessons/l2/view', '/hub/course/c1/lessons/l2'],
        course: '1',
        section: '1',
        title: 'L2',
        slug: 'l2',
        type: 'lesson',
        status: 'draft',
        content: '<p>Hi</p>',
        video_url: 'https://youtu.be/x',
        duration: '1:02:03',
        is_preview: true,
        position: 4,
        created_at: '2024-07-01 10:00:00',
        updated_at: '2024-07-01 10:00:00',
      },
    ])
  })

  test('a lesson whose section is gone goes to the first; one whose course is gone is left out, and never a post', async () => {
    const rows: Rows = {
      fcom_spaces: [course(1, 'self_paced'), course(2, 'self_paced')],
      fcom_posts: [section(9, 1, { priority: 2 }), section(8, 1, { priority: 1 }), lesson(2, 1, 44), lesson(3, 77, 45), lesson(4, 2, 9)],
    }
    const { records, skipped, noted } = await read('lessons', rows)
    expect(records.map(({ id, section: of }) => [id, of])).toEqual([['2', '8']])
    expect(noted).toEqual(['2: its section does not exist in the source; it was moved to the first section of its course'])
    expect(skipped).toEqual([
      '3: its course does not exist in the source',
      '4: its section does not exist in the source, and its course has no other section',
    ])
    expect((await read('posts', rows)).records).toEqual([])
  })

  test('quizzes', async () => {
    const questions = [
      {
        slug: 'q1',
        type: 'single_choice',
        label: 'One?',
        enabled: 'yes',
        options: [
          { label: 'A', is_correct: 'yes' },
          { label: 'B', is_correct: 'no' },
        ],
      },
      { slug: 'q2', type: 'multiple_choice', label: 'Two?', options: [{ label: 'A', is_correct: 'yes' }] },
      { slug: 'q3', type: 'written_answer', label: 'Three?', correct_answers: ['worm', 'snail'] },
      { slug: 'q4', type: 'written_answer', label: 'Four?', enabled: 'no' },
    ]
    const meta = php({ quiz_questions: questions, enable_passing_score: 'yes', passing_score: 70, hide_result: 'yes' })
    const { records } = await read('lessons', {
      fcom_spaces: [course(1, 'self_paced')],
      fcom_posts: [section(1, 1), lesson(2, 1, 1, { content_type: 'quiz', meta })],
    })
    expect(records[0]?.type).toBe('quiz')
    expect(records[0]?.quiz).toEqual({
      questions: [
        {
          id: 'q1',
          type: 'multiple_choice',
          question: 'One?',
          options: [
            { id: 'o1', text: 'A', is_correct: true },
            { id: 'o2', text: 'B', is_correct: false },
          ],
          correct_answer: null,
          points: 1,
          explanation: '',
        },
        {
          id: 'q2',
          type: 'multiple_select',
          question: 'Two?',
          options: [{ id: 'o1', text: 'A', is_correct: true }],
          correct_answer: null,
          points: 1,
          explanation: '',
        },
        { id: 'q3', type: 'short_answer', question: 'Three?', options: [], correct_answer: 'worm\nsnail', points: 1, explanation: '' },
      ],
      passing_score: 70,
      max_attempts: 0,
      time_limit: 0,
      show_correct_answers: false,
      randomize_questions: false,
    })
  })
})

describe('students', () => {
  const rows: Rows = {
    fcom_spaces: [course(1, 'self_paced')],
    fcom_posts: [section(1, 1), lesson(2, 1, 1)],
    fcom_space_user: [
      { space_id: 1, user_id: 1, role: 'student', created_at: '2024-03-01 10:00:00' },
      { space_id: 1, user_id: 2, role: 'member' },
      { space_id: 1, user_id: 2, role: 'student' },
      { space_id: 1, user_id: 70, role: 'student' },
    ],
    fcom_user_activities: [{ action_name: 'course_completed', user_id: 1, feed_id: 1, created_at: '2024-05-01 10:00:00' }],
    fcom_post_reactions: [
      { object_type: 'lesson_completed', type: 'completed', object_id: 2, user_id: 1 },
      { object_type: 'lesson_completed', type: 'completed', object_id: 2, user_id: 1 },
      { object_type: 'lesson_completed', type: 'incomplete', object_id: 2, user_id: 2 },
      { object_type: 'lesson_completed', type: 'completed', object_id: 99, user_id: 1 },
      { object_type: 'lesson_completed', type: 'completed', object_id: 2, user_id: 3 },
    ],
    users: [1, 2, 3].map((ID) => ({ ID, user_login: `u${ID}` })),
  }

  test('are enrolled whatever their role, once', async () => {
    const { records, skipped } = await read('enrolments', rows)
    expect(records).toEqual([
      { id: '1-1', course: '1', person: '1', enrolled_at: '2024-03-01 09:00:00', completed_at: '2024-05-01 08:00:00' },
      { id: '1-2', course: '1', person: '2', enrolled_at: '2024-07-01 10:00:00' },
    ])
    expect(skipped).toEqual(['3: another row has the same enrollment', '4: its account does not exist in the source'])
  })

  test('complete a lesson once, and only of a course in which they are enrolled', async () => {
    const { records, skipped } = await read('lesson_completions', rows)
    expect(records.map(({ lesson: of, person }) => [of, person])).toEqual([['2', '1']])
    expect(skipped).toEqual([
      '2: it duplicates an earlier row',
      '4: its lesson does not exist in the source or was skipped',
      '5: its account is not enrolled in the course',
    ])
  })

  test('comment on lessons', async () => {
    const { records } = await read('comments', { ...rows, fcom_post_comments: [{ post_id: 2 }, { post_id: 1 }] })
    expect(records.map(({ lesson: of, post }) => [of, post])).toEqual([['2', undefined]])
  })
})

describe('block mark-up', () => {
  test('loses its marks, in linear time', () => {
    expect(
      htmlOfBlocks(
        '<!-- wp:heading {"level":3} -->\n<h3>A</h3>\n<!-- /wp:heading -->\n\n<!-- wp:list -->\n<ul><!-- wp:list-item -->\n<li>b</li>\n<!-- /wp:list-item --></ul>\n<!-- /wp:list -->',
      ),
    ).toBe('<h3>A</h3>\n\n<ul>\n<li>b</li>\n</ul>')
    expect(htmlOfBlocks('<!-- wp:paragraph'.repeat(100_000))).toContain('wp:paragraph')
  })

  test('text of the classic editor gets paragraphs, and embeds a link', () => {
    expect(htmlOfBlocks('One\r\ntwo\r\n\r\n<b>three</b>')).toBe('<p>One<br>\ntwo</p>\n<p><b>three</b></p>')
    expect(htmlOfBlocks('<figure><div class="wp-block-embed__wrapper">\nhttps://youtu.be/x?a=1\n</div></figure>')).toContain(
      '<a href="https://youtu.be/x?a=1">',
    )
  })
})
