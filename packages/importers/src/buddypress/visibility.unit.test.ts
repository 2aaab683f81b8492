import { expect, test } from 'vitest'
import { reactionType } from './reaction-kinds.ts'
import { type ActivityVisibility, type GroupStatus, shownAs } from './visibility.ts'

const shown = (activity: Partial<ActivityVisibility>, group: GroupStatus | null = null) => {
  const { status, privacy } = shownAs({ is_spam: 0, hide_sitewide: 0, privacy: null, status: null, hidden: null, ...activity }, group)
  return `${status} ${privacy}`
}

test('a post has the audience that it had', () => {
  expect(shown({})).toBe('published public')
  expect(shown({ privacy: 'loggedin' })).toBe('published public')
  expect(shown({ privacy: 'friends' })).toBe('published private')
  expect(shown({}, 'public')).toBe('published public')
  expect(shown({ privacy: 'grouponly' }, 'public')).toBe('published private')
  expect(shown({ privacy: 'grouponly' }, 'private')).toBe('published public')
})

test('a post never gets a wider audience', () => {
  expect(shown({ privacy: 'onlyme' })).toBe('draft private')
  expect(shown({ privacy: 'onlyme' }, 'public')).toBe('draft private')
  expect(shown({ privacy: 'friends' }, 'public')).toBe('draft private')
  expect(shown({ privacy: 'grouponly' })).toBe('draft private')
  expect(shown({ privacy: 'premium-members' })).toBe('draft private')
  expect(shown({ privacy: 'constructor' })).toBe('draft private')
})

test('hidden posts stay hidden', () => {
  expect(shown({ hide_sitewide: 1 })).toBe('pending private')
  expect(shown({ hide_sitewide: 1 }, 'public')).toBe('published private')
  expect(shown({ hide_sitewide: 1 }, 'hidden')).toBe('published public')
  expect(shown({ hide_sitewide: 1, privacy: 'onlyme' })).toBe('draft private')
  expect(shown({ hidden: 1 })).toBe('pending public')
})

test('spam, drafts and scheduled posts keep their status', () => {
  expect(shown({ is_spam: 1, hide_sitewide: 1, privacy: 'public', status: 'published' })).toBe('spam public')
  expect(shown({ is_spam: 1, privacy: 'onlyme' })).toBe('spam private')
  expect(shown({ status: 'scheduled' })).toBe('scheduled public')
  expect(shown({ status: 'scheduled', privacy: 'onlyme' })).toBe('draft private')
  expect(shown({ status: 'scheduled', hide_sitewide: 1 })).toBe('draft private')
  expect(shown({ status: 'review' })).toBe('draft public')
})

test('reactions have the kind of their name or icon', () => {
  expect(reactionType('Likes')).toBe('like')
  expect(reactionType('Love')).toBe('love')
  expect(reactionType('Genial', '', 'Genial', '1f62e')).toBe('wow')
  expect(reactionType('😡')).toBe('angry')
  expect(reactionType('Support')).toBe('like')
  expect(reactionType()).toBe('like')
})
