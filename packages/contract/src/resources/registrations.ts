import { route } from '../route.ts'
import { Datetime, Id, listOf, Message, messageAnd, named, oneOf, paging, pathId } from '../shapes/common.ts'
import { Type } from '../typebox.ts'

export const REASON_LENGTH = 1000

export const Registration = named('Registration', {
  id: Type.Integer({ ...Id, description: 'The user id.' }),
  username: Type.String(),
  display_name: Type.String(),
  email: Type.String({ description: 'The email address; empty unless the caller is an administrator.' }),
  status: oneOf(['pending', 'unverified']),
  created_at: Datetime,
})

/** Pending registrations, for administrators and for managers of all spaces with `manage_members`. */
export const registrations = {
  list: route({
    method: 'GET',
    path: '/admin/registrations',
    access: 'manage_members',
    summary: 'List pending registrations',
    query: Type.Object({
      ...paging(20),
      status: Type.Optional(
        oneOf(['pending', 'unverified'], {
          default: 'pending',
          description: '`pending`: waits for approval; `unverified`: waits for email confirmation.',
        }),
      ),
    }),
    errors: ['rest_forbidden'],
    response: listOf(Registration),
  }),
  approve: route({
    method: 'POST',
    path: '/admin/registrations/{user_id}/approve',
    access: 'manage_members',
    summary: 'Approve a registration',
    description: 'The account becomes active immediately, even if its email address is not confirmed, and its owner receives an email.',
    params: pathId('user_id'),
    errors: ['rest_forbidden', 'user_not_found', 'username_taken', 'email_taken'],
    response: messageAnd(Type.Object({ id: Id, status: oneOf(['active']) })),
  }),
  reject: route({
    method: 'POST',
    path: '/admin/registrations/{user_id}/reject',
    access: 'manage_members',
    summary: 'Reject a registration',
    description: 'The account is removed, and its owner receives an email. The username and email address can be registered again.',
    params: pathId('user_id'),
    body: Type.Object({
      reason: Type.Optional(Type.String({ maxLength: REASON_LENGTH, description: 'The reason, which is included in the email.' })),
    }),
    errors: ['rest_forbidden', 'user_not_found'],
    response: Message,
  }),
} as const
