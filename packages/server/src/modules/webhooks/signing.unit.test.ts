import { describe, expect, it } from 'vitest'
import { maskSecret, newSecret, signatureHeaders } from './signing.ts'

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

it('a mask distinguishes two long secrets and shows nothing of a short one', () => {
  expect(maskSecret('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw')).toBe('whsec_…LaSw')
  expect([maskSecret('short-one'), maskSecret('a-phrase-that-is-long')]).toEqual(['…', '…long'])
})
