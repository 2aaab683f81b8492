import { expect, test } from 'vitest'
import { membershipEvent } from './membership.ts'

const active = { role: 'member', status: 'active' } as const
const pending = { role: 'member', status: 'pending' } as const
const banned = { role: 'member', status: 'banned' } as const
const moderator = { role: 'moderator', status: 'active' } as const

test.each([
  ['joins', undefined, active, true, 'space.member_joined'],
  ['is added by somebody else', undefined, active, false, 'space.member_invited'],
  ['asks', undefined, pending, true, 'space.join_requested'],
  ['is noted as asking', undefined, pending, false, 'space.join_requested'],
  ['is approved', pending, active, false, 'space.member_joined'],
  ['comes in because the space is open now', pending, active, true, 'space.member_joined'],
  ['gets a role', active, moderator, false, 'space.member_updated'],
  ['loses a role', moderator, active, false, 'space.member_updated'],
  ['leaves', active, null, true, 'space.member_left'],
  ['is removed', moderator, null, false, 'space.member_left'],
  ['is banned', active, banned, false, 'space.member_left'],
  ['is let in again', banned, active, false, 'space.member_updated'],
  ['is rejected', pending, null, false, null],
  ['takes the request back', pending, null, true, null],
  ['is banned while asking', pending, banned, false, null],
  ['keeps the place', active, active, false, null],
] as const)('a member %s', (_what, before, after, own, event) => {
  expect(membershipEvent(before, after, own)).toBe(event)
})
