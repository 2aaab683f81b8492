import { route } from '../route.ts'
import { Datetime, dataOf, Id, Message, messageAnd, named, nullable, oneOf, pathId } from '../shapes/common.ts'
import { Type } from '../typebox.ts'

/** Longest name of an application password, in characters. */
export const PASSWORD_NAME_LENGTH = 100

const ApplicationPassword = named('ApplicationPassword', {
  id: Id,
  name: Type.String(),
  created_at: Datetime,
  last_used_at: nullable(Datetime),
  last_ip: nullable(Type.String()),
})

const CurrentPassword = Type.String({ description: 'The account password as it is now', examples: ['Quiet-river-7431'] })

export const account = {
  applicationPasswords: route({
    method: 'GET',
    path: '/account/application-passwords',
    access: 'member',
    secret: true,
    summary: 'List the caller’s application passwords, oldest first',
    response: dataOf(Type.Array(ApplicationPassword)),
  }),
  createApplicationPassword: route({
    method: 'POST',
    path: '/account/application-passwords',
    access: 'member',
    secret: true,
    summary: 'Make an application password',
    description:
      'The password is shown in this answer and never again; the owner gets a mail. In a session that is older than ten minutes ' +
      '`current_password` is needed (403 `password_required`). What is made with an application password and without `current_password` is ' +
      'revoked together with that one.',
    body: Type.Object({
      name: Type.String({
        minLength: 1,
        maxLength: PASSWORD_NAME_LENGTH,
        pattern: '\\S',
        description: 'What it is for',
        examples: ['phone'],
      }),
      current_password: Type.Optional(nullable(CurrentPassword)),
    }),
    response: messageAnd(
      Type.Object({
        id: Id,
        name: Type.String(),
        password: Type.String({ examples: ['Ab3d Ef6h Ij9l Mn2p Qr5t Uv8x'] }),
        created_at: Datetime,
      }),
    ),
    status: 201,
    errors: ['conflict', 'password_required', 'wrong_password'],
  }),
  deleteApplicationPassword: route({
    method: 'DELETE',
    path: '/account/application-passwords/{id}',
    access: 'member',
    summary: 'Revoke one of the caller’s application passwords',
    params: pathId('id'),
    response: Message,
    errors: ['application_password_not_found'],
  }),
  changePassword: route({
    method: 'POST',
    path: '/account/password',
    access: 'member',
    summary: 'Change the account password',
    description:
      'All other sessions of the account end, its application passwords are revoked, and archives that are being made are cancelled; the ' +
      'credential that makes the change stays. The owner gets a mail that says what was revoked.',
    body: Type.Object({
      current_password: CurrentPassword,
      new_password: Type.String({ description: 'At least 10 characters, not one of the common ones', examples: ['Other-river-9152'] }),
      keep_application_passwords: Type.Optional(
        nullable(Type.Boolean({ default: false, description: 'Leaves the application passwords as they are' })),
      ),
    }),
    response: Message,
    errors: ['wrong_password', 'weak_password', 'rest_forbidden'],
  }),
  changeEmail: route({
    method: 'POST',
    path: '/account/email',
    access: 'member',
    summary: 'Change the e-mail address',
    description:
      'With require_email_verification the new address first gets a mail with a link, and the address changes when it is confirmed ' +
      '(`POST /auth/confirm-email`); otherwise it changes at once. The former address gets a mail with a link that undoes the change for seven ' +
      'days. At most three changes a day.',
    body: Type.Object({ current_password: CurrentPassword, email: Type.String({ examples: ['ada@example.net'] }) }),
    response: messageAnd(
      Type.Object({
        email: Type.String({ description: 'The address that was asked for' }),
        status: oneOf(['changed', 'unconfirmed'], { description: 'unconfirmed: it changes when the link in the mail is followed' }),
      }),
    ),
    errors: ['wrong_password', 'invalid_email', 'email_taken', 'rest_forbidden'],
  }),
  changeUsername: route({
    method: 'POST',
    path: '/account/username',
    access: 'member',
    summary: 'Change the username',
    description:
      'Where the community allows it (`can_change_username` of the profile). Signing in takes the new one; addresses with the former one lead nowhere.',
    body: Type.Object({ current_password: CurrentPassword, username: Type.String({ examples: ['ada_l'] }) }),
    response: messageAnd(Type.Object({ id: Id, username: Type.String() })),
    errors: ['wrong_password', 'invalid_username', 'username_taken', 'rest_forbidden'],
  }),
} as const
