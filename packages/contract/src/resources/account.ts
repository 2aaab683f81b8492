import { route } from '../route.ts'
import { Datetime, dataOf, Id, Message, messageAnd, named, nullable, oneOf, pathId } from '../shapes/common.ts'
import { Type } from '../typebox.ts'

/** Maximum length of the name of an application password, in characters. */
export const PASSWORD_NAME_LENGTH = 100

const ApplicationPassword = named('ApplicationPassword', {
  id: Id,
  name: Type.String(),
  created_at: Datetime,
  last_used_at: nullable(Datetime),
  last_ip: nullable(Type.String()),
})

const CurrentPassword = Type.String({ description: 'The current account password.', examples: ['Quiet-river-7431'] })

export const account = {
  applicationPasswords: route({
    method: 'GET',
    path: '/account/application-passwords',
    access: 'member',
    secret: true,
    summary: 'List application passwords',
    response: dataOf(Type.Array(ApplicationPassword)),
  }),
  createApplicationPassword: route({
    method: 'POST',
    path: '/account/application-passwords',
    access: 'member',
    secret: true,
    summary: 'Create an application password',
    description:
      'The response contains the password; it cannot be retrieved later. The owner receives an email. If the session is older than ten minutes, `current_password` is required (403 `password_required`). A password created with another application password and without `current_password` is revoked together with that one.',
    body: Type.Object({
      name: Type.String({
        minLength: 1,
        maxLength: PASSWORD_NAME_LENGTH,
        pattern: '\\S',
        description: 'A label that says what the password is for.',
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
    summary: 'Revoke an application password',
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
      'Ends all other sessions of the account, revokes its application passwords and cancels pending data exports. The credential that sends this request stays valid. The owner receives an email that lists what was revoked.',
    body: Type.Object({
      current_password: CurrentPassword,
      new_password: Type.String({
        description: 'The new password: at least 10 characters and not a common one.',
        examples: ['Other-river-9152'],
      }),
      keep_application_passwords: Type.Optional(
        nullable(Type.Boolean({ default: false, description: 'Whether the application passwords stay valid.' })),
      ),
    }),
    response: Message,
    errors: ['wrong_password', 'weak_password', 'rest_forbidden'],
  }),
  changeEmail: route({
    method: 'POST',
    path: '/account/email',
    access: 'member',
    summary: 'Change the email address',
    description:
      'If `require_email_verification` is on, the new address receives an email with a link, and the address changes when it is confirmed (`POST /auth/confirm-email`); otherwise it changes immediately. The previous address receives an email with a link that reverts the change within seven days. At most three changes per day.',
    body: Type.Object({ current_password: CurrentPassword, email: Type.String({ examples: ['ada@example.net'] }) }),
    response: messageAnd(
      Type.Object({
        email: Type.String({ description: 'The requested email address.' }),
        status: oneOf(['changed', 'unconfirmed'], {
          description: '`changed`: the address has changed. `unconfirmed`: it changes when the link in the email is followed.',
        }),
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
      'Available if the community allows it (see `can_change_username` of the profile). The new username applies to sign-in immediately; profile URLs with the previous one stop working.',
    body: Type.Object({ current_password: CurrentPassword, username: Type.String({ examples: ['ada_l'] }) }),
    response: messageAnd(Type.Object({ id: Id, username: Type.String() })),
    errors: ['wrong_password', 'invalid_username', 'username_taken', 'rest_forbidden'],
  }),
} as const
