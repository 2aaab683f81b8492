import { BookmarkWithFeed } from '@lyceum/contract'
import { Type } from 'typebox'
import { expect, test } from 'vitest'
import { assemble, createFrame, withChunkedItems } from './json-fragments.ts'

test('a frame contains every declared property, and the prepared fragment', () => {
  const shape = Type.Object({ ...BookmarkWithFeed.properties, note: Type.String() })
  const frame = createFrame<object>(shape, 'feed')
  const own = { id: 1, user_id: 2, feed_id: 3, created_at: '2026-03-10 12:00:00', note: 'Read it' }
  const json = frame({ ...own, undeclared: 'secret' }, Buffer.from('{"id":3}'))
  expect(JSON.parse(json.toString())).toEqual({ ...own, feed: { id: 3 } })
})

test('a body in chunks counts what it needs at a time, and each start of it produces the whole', async () => {
  const chunks = [['{"id":1}', ',', Buffer.from('{"id":2}')], ['{"id":3}']]
  const items = {
    retained: 40,
    largest: 17,
    start: () => {
      const left = [...chunks]
      return async () => left.shift() ?? null
    },
  }
  const body = assemble(JSON.stringify, withChunkedItems({ data: [], total: 3 }, 'data', items), false)
  expect(body.size).toBe(57)
  for (let run = 0; run < 2; run++) {
    const next = body.chunks?.start()
    const sent: string[] = []
    for (let chunk = await next?.(); chunk; chunk = await next?.()) sent.push(chunk.toString())
    expect(sent).toHaveLength(3)
    expect(sent.join('')).toBe('{"data":[{"id":1},{"id":2},{"id":3}],"total":3}')
    expect(await next?.()).toBeNull()
  }
  const empty = assemble(JSON.stringify, withChunkedItems({ data: [] }, 'data', { ...items, start: () => async () => null }), false)
  expect(String(await empty.chunks?.start()())).toBe('{"data":[]}')
})
