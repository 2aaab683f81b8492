import { expect, test } from 'vitest'
import { php, read } from './small-site.ts'

const survey = (options: { slug: string; label: string }[], more: Record<string, unknown> = {}) =>
  php({ survey_config: { type: 'single_choice', options: options.map((each) => ({ ...each, vote_counts: 9 })), end_date: '', ...more } })
const AB = [
  { slug: 'a', label: 'Apples' },
  { slug: 'b', label: 'Pears' },
]
const vote = (user_id: number, slug: string, object_id = 1) => ({ user_id, object_id, object_type: slug, type: 'survey_vote' })

test('a survey has its options, its end and a question', async () => {
  const { records } = await read('posts', {
    fcom_posts: [
      { title: 'Which?', meta: survey(AB, { type: 'multi_choice', end_date: '2024-08-01 12:00:00' }) },
      { message: '\n## What *now*?\nMore', meta: survey(AB) },
    ],
  })
  expect(records.map((post) => [post.content_type, post.survey])).toEqual([
    ['survey', { question: 'Which?', options: AB, allow_multiple: true, end_date: '2024-08-01 10:00:00' }],
    ['survey', { question: 'What now?', options: AB, allow_multiple: false }],
  ])
})

test('of two options with one slug both are kept, and the votes belong to the first', async () => {
  const rows = {
    fcom_posts: [
      {
        meta: survey([
          { slug: 'x', label: 'One' },
          { slug: 'x', label: 'Two' },
          { slug: '🌱', label: '' },
        ]),
      },
    ],
    fcom_post_reactions: [vote(1, 'x')],
  }
  const { records } = await read('posts', rows)
  expect(records[0]?.survey?.options).toEqual([
    { slug: 'x', label: 'One' },
    { slug: 'x_2', label: 'Two' },
    { slug: 'option_3', label: '3' },
  ])
  expect((await read('survey_votes', rows)).records.map(({ options }) => options)).toEqual([['x']])
})

test('votes: the rows count, each once, and only for options that exist', async () => {
  const { records, skipped } = await read('survey_votes', {
    fcom_posts: [{ meta: survey(AB, { type: 'multi_choice' }) }, { meta: survey(AB) }, {}],
    fcom_post_reactions: [
      vote(1, 'b'),
      vote(1, 'a'),
      vote(1, 'a'),
      vote(2, 'z'),
      vote(1, 'a', 2),
      vote(1, 'b', 2),
      vote(1, 'a', 3),
      vote(1, 'a', 99),
      vote(50, 'a'),
    ],
  })
  expect(records.map(({ id, options }) => [id, options])).toEqual([
    ['1-1', ['b', 'a']],
    ['2-1', ['a']],
  ])
  expect(skipped.toSorted()).toEqual([
    '3: the account has already voted for this option',
    '4: the survey has no option z',
    '6: the account has already voted for another option',
    '7: its survey does not exist in the source',
    '8: its survey does not exist in the source',
    '9: its account does not exist in the source',
  ])
})
