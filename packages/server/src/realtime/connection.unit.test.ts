import { expect, test } from 'vitest'
import type { TailedEvent } from '../db/index.ts'
import { createConnection, MOST_BACKLOG } from './connection.ts'
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

test('what comes before the beginning is out waits for it, and what is not for it is left out', () => {
  const { connection, sent } = open()
  connection.tell([told(1)], cursorOf)
  connection.after = [2, 0]
  connection.tell([told(2), told(3)], cursorOf)
  expect(sent).toEqual([])
  connection.begin('begin\n\n')
  connection.tell([told(4), told(5)], cursorOf)
  connection.tell([], cursorOf)
  expect(sent).toEqual(['begin\n\nevent: feed\nid: c3\ndata: {}\n\n', 'event: feed\nid: c4\ndata: {}\n\nevent: feed\nid: c5\ndata: {}\n\n'])
})

test('a sign of life says where it stands, once it has begun', () => {
  const { connection, sent } = open()
  connection.ping(() => ': ping\n\n')
  connection.begin('begin\n\n')
  connection.ping(() => ': ping\nid: c9\n\n')
  expect(sent).toEqual(['begin\n\n', ': ping\nid: c9\n\n'])
})

test('a reader who leaves too much lying is dropped, before and after the beginning', () => {
  let waiting = 0
  const slow = open(() => waiting)
  slow.connection.after = [0, 0]
  slow.connection.begin('begin\n\n')
  waiting = MOST_BACKLOG
  slow.connection.tell([told(1)], cursorOf)
  slow.connection.tell([told(2)], cursorOf)
  expect([slow.sent.length, slow.ended(), slow.closed, slow.connection.isOpen()]).toEqual([1, 'destroyed', [7], false])

  const late = open()
  late.connection.after = [0, 0]
  for (let n = 1; n <= 3; n++) late.connection.tell([told(n, 'x'.repeat(MOST_BACKLOG / 2))], cursorOf)
  expect([late.sent, late.ended(), late.closed]).toEqual([[], 'destroyed', [7]])
})

test('it ends once, with a word about why', () => {
  const { connection, sent, closed, ended, close } = open()
  connection.begin('begin\n\n')
  connection.end('replaced')
  connection.end('stopping')
  close()
  expect([sent.slice(1), closed, ended()]).toEqual([['event: closed\ndata: {"reason":"replaced"}\n\n'], [7], 'ended'])
})
