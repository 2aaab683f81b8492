import { BookmarkWithFeed } from '@lyceum/contract'
import { Type } from 'typebox'
import { expect, test } from 'vitest'
import { createFrame } from './json-fragments.ts'

test('a frame holds every member that its shape declares, and the one that was made before', () => {
  const shape = Type.Object({ ...BookmarkWithFeed.properties, note: Type.String() })
  const frame = createFrame<object>(shape, 'feed')
  const own = { id: 1, user_id: 2, feed_id: 3, created_at: '2026-03-10 12:00:00', note: 'Read it' }
  const json = frame({ ...own, undeclared: 'secret' }, Buffer.from('{"id":3}'))
  expect(JSON.parse(json.toString())).toEqual({ ...own, feed: { id: 3 } })
})
