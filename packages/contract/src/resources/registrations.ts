import { route } from '../route.ts'
import { Datetime, Id, listOf, Message, messageAnd, named, oneOf, paging, pathId } from '../shapes/common.ts'
import { Type } from '../typebox.ts'

export const REASON_LENGTH = 1000

export const Registration = named('Registration', {
  id: Type.Integer({ ...Id, description: 'The user id' }),
  username: Type.String(),
  display_name: Type.String(),
  email: Type.String({ description: 'Empty for others than administrators' }),
  status: oneOf(['pending', 'unverified']),
  created_at: Datetime,
})

/** Accounts that have registered and wait. For administrators, and managers of all spaces with manage_members. */
export const registrations = {
  list: route({
    method: 'GET',
    path: '/admin/registrations',
    access: 'manage_members',
    summary: 'Who waits to become a member, first come first',
    query: Type.Object({
      ...paging(20),
      status: Type.Optional(
        oneOf(['pending', 'unverified'], {
          default: 'pending',
          description: 'What they wait for: approval, or their own confirmation of the address',
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
    summary: 'Take somebody in who waits',
    description: 'The account is active at once, also when its address is not confirmed, and its owner gets a mail.',
    params: pathId('user_id'),
    errors: ['rest_forbidden', 'user_not_found', 'username_taken', 'email_taken'],
    response: messageAnd(Type.Object({ id: Id, status: oneOf(['active']) })),
  }),
  reject: route({
    method: 'POST',
    path: '/admin/registrations/{user_id}/reject',
    access: 'manage_members',
    summary: 'Turn somebody away who waits',
    description: 'The account is removed, and a mail says so. The same name and address may register again.',
    params: pathId('user_id'),
    body: Type.Object({ reason: Type.Optional(Type.String({ maxLength: REASON_LENGTH, description: 'For the mail' })) }),
    errors: ['rest_forbidden', 'user_not_found'],
    response: Message,
  }),
} as const
