import { expect, test } from 'vitest'
import { at, post, type Row, read, topic } from '../../test-support/small-discourse.ts'

test('polls of first posts become surveys', async () => {
  const poll = '[poll type=multiple results=on_vote]\n* Rye\n* Spelt\n[/poll]'
  const { records, unreadable, leftOut } = await read({
    topics: [topic(2, 'Which flour?')],
    posts: [post(2, 2, 1, { raw: `Vote!\n\n${poll}\n\nThanks` }), post(3, 2, 2, { raw: poll })],
    polls: [
      { id: 1, post_id: 2, type: 1, status: 1, results: 1, visibility: 1, name: 'poll', title: null, close_at: null, updated_at: at(7) },
      { id: 2, post_id: 3, type: 0, status: 0, results: 0, visibility: 1, name: 'poll', title: null, close_at: null, updated_at: at(7) },
    ],
    poll_options: [
      { id: 10, poll_id: 1, digest: 'a', html: '<b>Rye</b> &amp; water' },
      { id: 11, poll_id: 1, digest: 'b', html: 'Spelt' },
      { id: 20, poll_id: 2, digest: 'a', html: 'Rye' },
    ],
    poll_votes: [
      { poll_id: 1, poll_option_id: 11, user_id: 2, rank: 0, created_at: at(5) },
      { poll_id: 1, poll_option_id: 10, user_id: 2, rank: 0, created_at: at(6) },
      { poll_id: 1, poll_option_id: 10, user_id: 99, rank: 0, created_at: at(6) },
      { poll_id: 2, poll_option_id: 20, user_id: 2, rank: 0, created_at: at(6) },
    ],
  })
  expect(records.posts[1]).toMatchObject({
    content_type: 'survey',
    message: 'Vote!\n\nThanks',
    survey: {
      question: 'Which flour?',
      options: [
        { slug: 'option-10', label: 'Rye & water' },
        { slug: 'option-11', label: 'Spelt' },
      ],
      allow_multiple: true,
      show_results: 'after_vote',
      end_date: '2024-05-07 10:00:00',
    },
  })
  expect(records.comments[0]?.message).toBe('* Rye\n* Spelt')
  expect(records.survey_votes).toEqual([
    { id: '1:2', post: '2', person: '2', options: ['option-10', 'option-11'], created_at: '2024-05-05 10:00:00' },
  ])
  expect(unreadable).toEqual([
    'survey_votes 1:99: its account does not exist in the source',
    'survey_votes 2:2: its poll was not imported: only the first poll of a topic becomes a survey',
  ])
  expect(leftOut).toEqual({ 'polls in replies, and additional polls in a post': 1 })
})

test('secret polls keep their result in the text, and ranked choices count once', async () => {
  const poll = (id: number, more: Row): Row => ({ id, post_id: id, type: 0, status: 0, results: 0, visibility: 0, name: 'poll', ...more })
  const vote = (poll_id: number, poll_option_id: number, user_id: number, rank = 0): Row => ({
    poll_id,
    poll_option_id,
    user_id,
    rank,
    created_at: at(5),
  })
  const { records, unreadable } = await read({
    topics: [2, 3, 4, 5, 6].map((id) => topic(id, `Poll ${id}`)),
    posts: [post(2, 2, 1), post(3, 3, 1, { raw: 'a <b>b</b>', cooked: '<p>a <b>b</b></p>' }), post(4, 4, 1), post(5, 5, 1), post(6, 6, 1)],
    polls: [poll(2, {}), poll(3, { results: 2, status: 1 }), poll(4, { results: 3 }), poll(5, { type: 3, visibility: 1 }), poll(6, {})],
    poll_options: [2, 3, 4, 5].flatMap((id) => [
      { id: id * 10, poll_id: id, digest: 'a', html: 'A &lt;' },
      { id: id * 10 + 1, poll_id: id, digest: 'b', html: 'B' },
    ]),
    poll_votes: [
      vote(2, 21, 2),
      vote(3, 30, 2),
      vote(4, 40, 2),
      vote(5, 50, 1, 2),
      vote(5, 51, 1, 1),
      vote(5, 50, 2, 0),
      vote(5, 51, 2, 0),
    ],
  })
  const withPolls = records.posts.filter(({ id }) => id !== '1')
  expect(withPolls.map(({ message, survey }) => [message, survey?.show_results])).toEqual([
    ['Text 2\n\n- A <: 0\n- B: 1', 'always'],
    ['<p>a <b>b</b></p>\n\n<ul><li>A &#60;: 1</li><li>B: 0</li></ul>', 'never'],
    ['Text 4', 'never'],
    ['Text 5', 'always'],
    ['Text 6', undefined],
  ])
  expect(records.survey_votes.map(({ id, options }) => [id, options])).toEqual([['5:1', ['option-51']]])
  expect(unreadable).toEqual([
    ...[2, 3, 4].map((id) => `survey_votes ${id}:2: its poll is secret, but surveys show who voted`),
    'survey_votes 5:2: it has no option',
  ])
})
