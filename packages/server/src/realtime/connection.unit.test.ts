import { expect, test } from 'vitest'
import type { TailedEvent } from '../db/index.ts'
import { createConnection, MAX_BACKLOG_BYTES } from './connection.ts'
import type { Sink } from './types.ts'

/** A connection whose client reads nothing; `sent` is the text written to it. */
const open = (backlog = () => 0) => {
  const sent: string[] = []
  let ended = ''
  let close = () => {}
  const sink: Sink = {
    send: (text) => void sent.push(text),
    backlog,
    end: () => {
      ended = 'ended'
    },
    destroy: () => {
      ended = 'destroyed'
    },
    onClose: (done) => {
      close = done
    },
  }
  const closed: number[] = []
  const connection = createConnection(7, { kind: 'session', credentialId: 1 }, sink, ({ userId }) => void closed.push(userId))
  return { connection, sent, closed, ended: () => ended, close: () => close() }
}

const told = (major: number, data = '{}') => ({
  event: { position: [major, 0], id: major, name: 'x', actor_id: null, payload: '{}' } as TailedEvent,
  name: 'feed',
  data,
})
const cursorOf = ([major]: readonly [number, number]) => `c${major}`

test('events before the initial data wait for it, and older ones are skipped', () => {
  const { connection, sent } = open()
  connection.deliver([told(1)], cursorOf)
  connection.after = [2, 0]
  connection.deliver([told(2), told(3)], cursorOf)
  expect(sent).toEqual([])
  connection.begin('begin\n\n')
  connection.deliver([told(4), told(5)], cursorOf)
  connection.deliver([], cursorOf)
  expect(sent).toEqual(['begin\n\nevent: feed\nid: c3\ndata: {}\n\n', 'event: feed\nid: c4\ndata: {}\n\nevent: feed\nid: c5\ndata: {}\n\n'])
})

test('a ping contains the current position, once the stream has begun', () => {
  const { connection, sent } = open()
  connection.ping(() => ': ping\n\n')
  connection.begin('begin\n\n')
  connection.ping(() => ': ping\nid: c9\n\n')
  expect(sent).toEqual(['begin\n\n', ': ping\nid: c9\n\n'])
})

test('a client with too many unread bytes is disconnected, before and after the initial data', () => {
  let waiting = 0
  const slow = open(() => waiting)
  slow.connection.after = [0, 0]
  slow.connection.begin('begin\n\n')
  waiting = MAX_BACKLOG_BYTES
  slow.connection.deliver([told(1)], cursorOf)
  slow.connection.deliver([told(2)], cursorOf)
  expect([slow.sent.length, slow.ended(), slow.closed, slow.connection.isOpen()]).toEqual([1, 'destroyed', [7], false])

  const late = open()
  late.connection.after = [0, 0]
  for (let n = 1; n <= 3; n++) late.connection.deliver([told(n, 'x'.repeat(MAX_BACKLOG_BYTES / 2))], cursorOf)
  expect([late.sent, late.ended(), late.closed]).toEqual([[], 'destroyed', [7]])
})

test('it ends once, with the reason', () => {
  const { connection, sent, closed, ended, close } = open()
  connection.begin('begin\n\n')
  connection.end('replaced')
  connection.end('stopping')
  close()
  expect([sent.slice(1), closed, ended()]).toEqual([['event: closed\ndata: {"reason":"replaced"}\n\n'], [7], 'ended'])
})
