import { expect, test } from 'vitest'
import words from '../../../locales/en/audit.json' with { type: 'json' }
import { sentencesOf } from './audit-words.ts'

const entry = (action: string, details: Readonly<Record<string, unknown>> = {}, object_id = 2) => ({
  action,
  details,
  actor_id: 1,
  object_id,
})

test.each([
  [entry('account.changed', { status: 'banned' }), 'changed_banned'],
  [entry('account.changed', { status: 'suspended', is_verified: 0 }), 'changed_suspended'],
  [entry('account.changed', { is_verified: 1 }), 'changed_isVerified'],
  [entry('account.changed', { badge_slugs: '[]' }), 'changed_badges'],
  [entry('account.deleted', {}, 1), 'deleted_own'],
  [entry('account.deleted'), 'deleted'],
])('%o is described by %s', ({ action, ...rest }, key) => {
  const [first = ''] = sentencesOf({ action, ...rest })
  expect(first).toBe(`sentence.account.${key}`)
  expect(Object.keys(words.sentence.account)).toContain(key)
})

test('a detail without a sentence falls back to that of the action', () => {
  expect(sentencesOf(entry('account.changed', { status: 'pending' }))).toEqual([
    'sentence.account.changed_pending',
    'sentence.account.changed',
  ])
  expect(sentencesOf(entry('space_member.changed', { role: 'member', status: 'banned' }))[0]).toBe('sentence.space_member.changed_banned')
  expect(sentencesOf(entry('moon.painted'))).toEqual(['sentence.moon.painted'])
})
