import { expect, test } from 'vitest'
import { type Choices, choicesFor, inputOf, knownSpaces, NOTHING_CHOSEN, withChoice } from './choices.ts'

const OPEN = { id: '1', title: 'Open', privacy: 'public' } as const
const CLOSED = { id: '2', title: 'Closed', privacy: 'private' } as const
const chosen: Choices = withChoice(withChoice(NOTHING_CHOSEN, OPEN, 'secret'), CLOSED, 'none')

test('no space becomes wider than it was', () => {
  expect(choicesFor(OPEN)).toEqual(['same', 'private', 'secret', 'none'])
  expect(choicesFor(CLOSED)).toEqual(['same', 'secret', 'none'])
  expect(choicesFor({ ...CLOSED, privacy: 'secret' })).toEqual(['same', 'none'])
})

test('an import gets what is not as at the source', () => {
  expect(inputOf(NOTHING_CHOSEN)).toEqual({ options: { migrate_avatars: true } })
  expect(inputOf({ ...chosen, avatars: false })).toEqual({
    options: { migrate_avatars: false },
    map: { spaces: { 2: null }, privacy: { 1: 'secret' } },
  })
  expect(inputOf(withChoice(withChoice(chosen, OPEN, 'same'), CLOSED, 'same'))).toEqual(inputOf(NOTHING_CHOSEN))
})

test('a space that was left out of the last run can be chosen again, with its privacy at the source', () => {
  const counts = { members: 1, posts: 2 }
  const audiences = [
    { id: '1', space: 'Open', privacy: 'secret', source_privacy: 'public', ...counts },
    { space: 'Of an older version', privacy: 'public', ...counts },
  ] as const
  expect(knownSpaces([...audiences], chosen)).toEqual([OPEN, CLOSED])
  expect(knownSpaces([], NOTHING_CHOSEN)).toEqual([])
})
