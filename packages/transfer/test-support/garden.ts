import { picture } from '#test/media.ts'
import type { Records } from './memory-source.ts'

const day = (number: number, time = '10:00:00') => `2024-05-${String(number).padStart(2, '0')} ${time}`
const person = (id: string, username: string, more: object = {}) =>
  ({
    id,
    username,
    email: `${username.toLowerCase().replace(/[^a-z]/g, '')}@old.example`,
    display_name: username,
    status: 'active',
    created_at: day(1),
    ...more,
  }) as const

/** Files of the community. */
export const gardenFiles = async () => ({
  'bean.png': await picture('png'),
  'ada.png': await picture('png', 20, 20),
  'plan.pdf': Buffer.from('%PDF-1.4\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n'),
  'notes.txt': Buffer.from('not a picture'),
})

/** A community with every kind of record. */
export const garden = (): Records => ({
  people: [
    person('1', 'Ada', {
      role: 'admin',
      aliases: ['ada.l'],
      urls: ['https://old.example/members/ada/'],
      avatar: 'm-ada',
      password: '$P$Babcdefghijklmnopqrstuvwxyz01234',
      short_description: 'Gardener, see https://old.example/groups/beans/',
      social_links: { github: 'https://github.com/ada', unknown: 'x' },
      points: 500,
    }),
    person('2', 'Ben.Müller', { aliases: ['ben'], urls: ['/members/ben/', '/author/Ben%20M%C3%BCller'], points: 3 }),
    person('3', 'cy', { email: null }),
    person('4', 'dora', { status: 'banned', email: 'not an address' }),
    person('5', 'admin', { role: 'moderator', managed_spaces: ['s1'] }),
    person('6', 'gone', { status: 'deleted', email: null }),
  ],
  media: [
    { id: 'm-ada', file: 'ada.png', file_name: 'ada.png', owner: '1', used_for: 'profile', created_at: day(1) },
    {
      ...{ id: 'm-bean', file: 'bean.png', file_name: 'bean.png', owner: '2', used_for: 'feed', created_at: day(2) },
      urls: ['https://old.example/wp-content/uploads/bean.png'],
    },
    {
      ...{ id: 'm-former', file: 'ada.png', file_name: 'former.png', owner: '1', used_for: 'profile', created_at: day(1) },
      urls: ['https://old.example/wp-content/uploads/former.png'],
    },
    { id: 'm-plan', file: 'plan.pdf', file_name: 'plan.pdf', owner: '2', used_for: 'feed', created_at: day(2) },
  ],
  space_groups: [{ id: 'g1', title: 'Vegetables', slug: 'vegetables', position: 1, created_at: day(1) }],
  spaces: [
    {
      ...{ id: 's1', group: 'g1', title: 'Beans', slug: 'beans', privacy: 'public', status: 'published', created_by: '1' },
      ...{
        settings: {
          emoji: '🌱',
          can_request_join: 'yes',
          links: [{ title: 'Peas', permalink: 'https://old.example/groups/peas/', membership_ids: ['s2'] }],
        },
      },
      ...{ urls: ['https://old.example/groups/beans/'], position: 1, created_at: day(1) },
    },
    {
      id: 's2',
      title: 'Peas',
      slug: 'peas',
      privacy: 'secret',
      status: 'published',
      urls: ['/groups/peas/'],
      position: 2,
      created_at: day(1),
    },
    { id: 's3', title: 'Roses', slug: 'roses', privacy: 'private', status: 'published', position: 3, created_at: day(1) },
  ],
  memberships: [
    { id: 'x1', space: 's1', person: '1', role: 'admin', status: 'active', joined_at: day(1) },
    { id: 'x2', space: 's1', person: '2', role: 'member', status: 'active', joined_at: day(2) },
    { id: 'x3', space: 's2', person: '1', role: 'admin', status: 'active', joined_at: day(2) },
    { id: 'x4', space: 's3', person: '2', role: 'member', status: 'pending', joined_at: day(2) },
    { id: 'x5', space: 's3', person: '3', role: 'member', status: 'active', joined_at: day(2) },
  ],
  topics: [
    { id: 't1', title: 'Soil', slug: 'soil', color: '#AA5500', spaces: null, created_at: day(1) },
    { id: 't2', title: 'Clay', slug: 'clay', parent: 't1', spaces: ['s1'], created_at: day(1) },
  ],
  posts: [
    {
      ...{
        id: 'p1',
        author: '2',
        space: 's1',
        slug: 'first-beans',
        title: 'First beans',
        status: 'published',
        privacy: 'public',
        created_at: day(3),
      },
      message: 'Look, @ada.l: ![a bean](https://old.example/wp-content/uploads/bean.png) and https://old.example/p/2 later. `@ben` stays.',
      ...{ topics: ['t2', 't1'], is_sticky: true, urls: ['https://old.example/p/1/'], media: ['m-plan'] },
    },
    {
      ...{
        id: 'p2',
        author: '1',
        space: 's1',
        status: 'published',
        privacy: 'public',
        created_at: day(4),
        urls: ['https://old.example/p/2'],
      },
      ...{
        format: 'html',
        message: '<p>As <a href="https://old.example/members/ben/">@Ben.Müller</a> <b>said</b> in <a href="/p/1/">this</a></p>',
      },
    },
    {
      ...{ id: 'p3', author: '1', space: 's1', content_type: 'survey', status: 'published', privacy: 'public', created_at: day(5) },
      ...{ message: 'Which?', survey: { question: 'Which?', options: ['a', 'b', 'b'].map((slug, i) => ({ slug, label: `Option ${i}` })) } },
    },
    {
      id: 'p4',
      author: '1',
      space: 's2',
      message: 'Secret peas',
      status: 'published',
      privacy: 'public',
      created_at: day(6),
      slug: 'secret-peas',
    },
    { id: 'p5', author: '2', message: 'Draft', status: 'draft', privacy: 'public', created_at: day(6) },
    { id: 'p6', author: '2', message: 'Held', status: 'pending', privacy: 'public', created_at: day(6), hold: { reason: 'word' } },
    {
      ...{ id: 'p7', author: '2', message: 'Later', status: 'scheduled', privacy: 'public', created_at: day(6) },
      ...{ scheduled_at: '2031-01-01 00:00:00', timezone: 'Europe/Berlin', auto_publish: true },
    },
    { id: 'p8', author: '6', space: 's1', message: 'By someone who left', status: 'published', privacy: 'public', created_at: day(7) },
  ],
  survey_votes: [
    { id: 'v1', post: 'p3', person: '1', options: ['a'], created_at: day(6) },
    { id: 'v2', post: 'p3', person: '2', options: ['b'], created_at: day(6) },
  ],
  course_categories: [{ id: 'k1', title: 'Basics', slug: 'basics' }],
  courses: [
    {
      ...{
        id: 'c1',
        title: 'Digging',
        slug: 'digging',
        category: 'k1',
        instructor: '1',
        created_by: '1',
        status: 'published',
        privacy: 'public',
      },
      ...{ course_type: 'self_paced', content: '<p>Dig <script>x</script>deep</p>', urls: ['/course/digging'], created_at: day(1) },
    },
    {
      ...{
        id: 'c2',
        title: 'Digging on',
        slug: 'digging-on',
        instructor: '1',
        status: 'published',
        privacy: 'public',
        course_type: 'self_paced',
      },
      ...{ prerequisites: ['c1'], created_at: day(2) },
    },
  ],
  course_sections: [
    { id: 'e1', course: 'c1', title: 'One', slug: 'one', status: 'published', position: 1, created_at: day(1) },
    { id: 'e2', course: 'c1', title: 'Two', slug: 'two', status: 'published', position: 2, created_at: day(1) },
  ],
  lessons: [
    {
      ...{ id: 'l1', course: 'c1', section: 'e1', title: 'Spades', slug: 'spades', type: 'lesson', status: 'published', position: 1 },
      ...{ content: '<p>A <b>spade</b></p>', urls: ['/course/digging/lessons/spades'], created_at: day(1) },
    },
    {
      ...{
        id: 'l2',
        course: 'c1',
        section: 'e2',
        title: 'Test',
        slug: 'test',
        type: 'quiz',
        status: 'published',
        position: 1,
        created_at: day(1),
      },
      quiz: {
        questions: [
          {
            id: 'q1',
            type: 'multiple_choice',
            question: 'Deep?',
            options: [
              { id: 'y', text: 'Yes', is_correct: true },
              { id: 'n', text: 'No' },
            ],
          },
        ],
        passing_score: 50,
      },
    },
  ],
  enrolments: [
    {
      id: 'n1',
      course: 'c1',
      person: '2',
      enrolled_at: day(2),
      completed_at: day(9),
      certificate_code: 'a'.repeat(32),
      certificate_at: day(9),
    },
    { id: 'n2', course: 'c1', person: '3', enrolled_at: day(2) },
  ],
  lesson_completions: [
    { id: 'd1', lesson: 'l1', person: '2', completed_at: day(8) },
    { id: 'd2', lesson: 'l2', person: '2', completed_at: day(9) },
    { id: 'd3', lesson: 'l1', person: '3', completed_at: day(8) },
  ],
  quiz_attempts: [
    {
      ...{ id: 'a1', lesson: 'l2', person: '2', attempt_number: 1, status: 'graded', started_at: day(9), submitted_at: day(9, '10:05:00') },
      ...{
        answers: { q1: 'y' },
        score: 100,
        points_earned: 1,
        points_possible: 1,
        total_questions: 1,
        correct_answers: 1,
        passing_score: 50,
        passed: true,
      },
    },
  ],
  comments: [
    { id: 'r1', post: 'p1', author: '1', message: 'Lovely', status: 'published', created_at: day(4), urls: ['/p/1/#r1'] },
    { id: 'r2', post: 'p1', author: '2', parent: 'r1', message: 'Thanks', status: 'published', created_at: day(4, '11:00:00') },
    { id: 'r3', post: 'p1', author: '1', parent: 'r2', message: 'Welcome', status: 'published', created_at: day(4, '12:00:00') },
    { id: 'r4', post: 'p1', author: '3', message: 'Spam!', status: 'spam', created_at: day(5) },
    { id: 'r5', lesson: 'l1', author: '2', message: 'Which spade?', status: 'published', created_at: day(8) },
  ],
  reactions: [
    { id: 'z1', person: '1', post: 'p1', type: 'love', created_at: day(4) },
    { id: 'z2', person: '2', comment: 'r1', type: 'like', created_at: day(4) },
  ],
  bookmarks: [{ id: 'b1', person: '1', post: 'p1', created_at: day(5) }],
  follows: [
    { id: 'f1', follower: '1', following: '2', status: 'active', created_at: day(5) },
    { id: 'f2', follower: '3', following: '2', status: 'pending', created_at: day(5) },
  ],
  reports: [{ id: 'o1', reporter: '1', post: 'p8', reason: 'spam', status: 'pending', created_at: day(8) }],
})
