import { render } from '@lyceum/content'
import type { NotificationType } from '@lyceum/contract'
import { describe, expect, test } from 'vitest'
import { mentionsIn, type TitleData, titleOf, whoActed } from './rules.ts'

describe('mentions in stored HTML', () => {
  const known = new Set(['bob', 'ann-lee'])
  test.each([
    ['@bob and @ann-lee, @Bob', 'text', ['bob', 'ann-lee']],
    ['@nobody `@bob` [@bob](https://e.example)', 'markdown', []],
    ['<p>@bob</p><a class="mention" href="/u/ann-lee">@x</a>', 'html', ['bob']],
    ['class="mention" href="/u/bob" <a class="mention" href="/u/bob">', 'text', []],
    ['&lt;a class="mention" href="/u/bob"', 'html', []],
    [
      '<p title=\'<a class="mention" href="/u/bob">\'>x</p><img alt=\'<a class="mention" href="/u/bob">\' src="https://e.example/x.png">',
      'html',
      [],
    ],
  ] as const)('%j', (source, type, names) => {
    expect(mentionsIn(render(source, type, { mentions: known }))).toEqual(names)
  })

  test('are limited to fifty', () => {
    const source = Array.from({ length: 60 }, (_, i) => `@user${i}`).join(' ')
    expect(mentionsIn(render(source, 'text', { mentions: { has: () => true } }))).toHaveLength(50)
  })
})

test.each([
  [1, 'Ana'],
  [2, 'Ana and 1 other'],
  [3, 'Ana and 2 others'],
  [99, 'Ana and 98 others'],
  [100, 'Ana and 99+ others'],
])('%d people are %s', (count, words) => expect(whoActed('Ana', count)).toBe(words))

const FACTS: Omit<TitleData, 'type'> = {
  who: 'Ana',
  of: 'feed',
  feed: 'Seeds',
  comment: 'Mine',
  place: 'Garden',
  pending: false,
  everyone: false,
}

test.each<[NotificationType, Partial<TitleData>, string]>([
  ['new_comment', {}, 'Ana commented on your post “Seeds”'],
  ['new_comment', { feed: '' }, 'Ana commented on your post'],
  ['new_reply', { of: 'comment' }, 'Ana replied to your comment on “Seeds”'],
  ['new_reply', { of: 'comment', feed: '' }, 'Ana replied to your comment'],
  ['new_reaction', {}, 'Ana reacted to your post “Seeds”'],
  ['new_reaction', { of: 'comment' }, 'Ana reacted to your comment “Mine”'],
  ['mention', {}, 'Ana mentioned you in the post “Seeds”'],
  ['mention', { feed: '' }, 'Ana mentioned you in a post'],
  ['mention', { of: 'comment' }, 'Ana mentioned you in a comment on “Seeds”'],
  ['mention', { of: 'comment', feed: '' }, 'Ana mentioned you in a comment'],
  ['mention', { everyone: true }, 'Ana mentioned everyone in the post “Seeds”'],
  ['new_follower', {}, 'Ana follows you'],
  ['new_follower', { pending: true }, 'Ana wants to follow you'],
  ['space_invite', {}, 'Ana added you to the space “Garden”'],
  ['space_join', {}, 'Ana joined the space “Garden”'],
  ['space_join', { pending: true }, 'Ana asks to join the space “Garden”'],
  ['course_enrollment', {}, 'Ana enrolled in “Garden”'],
  ['lesson_complete', { place: '' }, 'Ana completed a lesson of your course'],
  ['moderation', {}, 'A message from the moderators'],
])('%s %j', (type, facts, title) => expect(titleOf({ ...FACTS, ...facts, type })).toBe(title))
