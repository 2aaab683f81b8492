import { describe, expect, it } from 'vitest'
import { delayAfter, headersProblem, maskSecret, newSecret, pauseAfter, SLOW_FAILURES, signatureHeaders, unmaskHeaders } from './rules.ts'

describe('signatures', () => {
  // The example from the libraries of the Standard Webhooks specification.
  it('follow Standard Webhooks', () => {
    const headers = signatureHeaders({
      messageId: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      seconds: 1_614_265_330,
      body: '{"test": 2432232314}',
      secrets: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
    })
    expect(headers['webhook-signature']).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=')
    expect([headers['webhook-id'], headers['webhook-timestamp']]).toEqual(['msg_p5jXN8AQM9LWM0D4loKWxJek', '1614265330'])
  })

  it('use every valid secret, and the simple format the first one', () => {
    const given = { messageId: 'm', seconds: 1, body: '{}' }
    const [one, two] = ['a phrase of mine!', newSecret()].map((secret) => signatureHeaders({ ...given, secrets: [secret] }))
    const both = signatureHeaders({ ...given, secrets: [newSecret(), 'a phrase of mine!'] })
    expect(one?.['webhook-signature']?.split(' ')).toHaveLength(1)
    expect(two).not.toHaveProperty('x-lyceum-signature-previous')
    expect(both['webhook-signature']?.split(' ')[1]).toBe(one?.['webhook-signature'])
    expect(both['x-lyceum-signature-previous']).toBe(one?.['x-lyceum-signature'])
  })
})

describe('delays', () => {
  const first = () =>
    Array.from({ length: 50 }, (_, id) => Array.from({ length: 10 }, (__, i) => delayAfter(i + 1, { event_id: 7000 + id, webhook_id: 3 })))

  it('grow, with jitter', () => {
    const many = first()
    for (const list of many) expect(list.slice(0, 5)).toEqual(list.slice(0, 5).toSorted((a, b) => a - b))
    expect(Math.max(...many.map(([delay = 0]) => delay))).toBeLessThanOrEqual(6)
    expect(new Set(many.map((list) => list[3])).size).toBeGreaterThan(10)
  })

  it('of three retries outlast an hour, of ten three days', () => {
    const sum = (list: readonly number[]) => list.reduce((a, b) => a + b, 0)
    for (const list of first()) {
      expect(sum(list.slice(0, 3))).toBeGreaterThan(2 * 3600)
      expect(sum(list)).toBeGreaterThan(3 * 24 * 3600)
      expect(sum(list)).toBeLessThan(5 * 24 * 3600)
    }
  })

  it('of a slow webhook start late and end at fifteen minutes', () => {
    expect([0, SLOW_FAILURES - 1, SLOW_FAILURES, SLOW_FAILURES + 1, 1000].map(pauseAfter)).toEqual([0, 0, 15, 30, 900])
  })
})

it('a mask distinguishes two long secrets and shows nothing of a short one', () => {
  expect(maskSecret('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw')).toBe('whsec_…LaSw')
  expect([maskSecret('short-one'), maskSecret('a-phrase-that-is-long')]).toEqual(['…', '…long'])
})

it.each(['Host', 'content-type', 'CONTENT-LENGTH', 'Transfer-Encoding', 'webhook-id', 'X-Lyceum-Signature', 'a b', 'ä', ''])(
  'the header %s is not for administrators',
  (name) => expect(headersProblem({ [name]: 'x' })).not.toBeNull(),
)

it('masked headers are matched case-insensitively', () => {
  expect(unmaskHeaders({ 'X-KEY': '••••••••', 'X-B': 'new' }, { 'x-key': 'kept', 'X-Gone': 'x' })).toEqual({
    'X-KEY': 'kept',
    'X-B': 'new',
  })
})
