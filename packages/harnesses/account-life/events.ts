import type { Member } from '#test/world.ts'
import { type Life, randomAddress } from './life.ts'
import type { Event } from './table.ts'

const NEXT = 'Other-river-9152'

/** Triggers each event through the API, as users do. */
export const TRIGGERS: Readonly<Record<Event, (life: Life, admin: Member) => Promise<unknown>>> = {
  'password reset': async ({ world, links, present }) => {
    const answer = await world.request('POST', '/auth/reset-password', { token: links.reset, password: NEXT }, randomAddress())
    present.password = NEXT
    return answer
  },
  'password change': ({ own, present }) => {
    const body = { current_password: present.password, new_password: NEXT }
    present.password = NEXT
    return own.send('POST', '/account/password', body)
  },
  'password change that keeps application passwords': ({ own, present }) => {
    const body = { current_password: present.password, new_password: NEXT, keep_application_passwords: true }
    present.password = NEXT
    return own.send('POST', '/account/password', body)
  },
  'password change with the child application password': ({ child, present }) => {
    const body = { current_password: present.password, new_password: NEXT }
    present.password = NEXT
    return child('POST', '/account/password', body)
  },
  'sign-out': ({ own }) => own.send('POST', '/auth/logout'),
  'application password revoked': ({ own, applicationPassword }) =>
    own.send('DELETE', `/account/application-passwords/${applicationPassword.id}`),
  'email change': ({ world, links }) => world.request('POST', '/auth/confirm-email', { token: links.email }, randomAddress()),
  'email change undone': ({ world, links }) => world.request('POST', '/auth/undo-email-change', { token: links.undo }, randomAddress()),
  suspension: ({ id }, admin) => admin.raw('PATCH', `/members/${id}`, { status: 'suspended' }),
  'suspension lifted': async ({ id, streams }, admin) => {
    const suspended = await admin.raw('PATCH', `/members/${id}`, { status: 'suspended' })
    // Streams end at their next check.
    await Promise.allSettled([streams.session.ended, streams.applicationPassword.ended])
    if (suspended.status !== 200) return suspended
    return admin.raw('PATCH', `/members/${id}`, { status: 'active' })
  },
  ban: ({ id }, admin) => admin.raw('PATCH', `/members/${id}`, { status: 'banned' }),
  deletion: ({ own, present }) => own.send('DELETE', '/account', { current_password: present.password }),
  rename: ({ own, present }) => {
    present.username = `${present.username}-new`
    return own.send('POST', '/account/username', { current_password: present.password, username: present.username })
  },
  'role change': ({ id }, admin) => admin.raw('POST', '/admin/managers', { user_id: id, role: 'moderator' }),
}
