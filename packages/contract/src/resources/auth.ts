import { LANGUAGES } from '../constants.ts'
import { ACCOUNT_ROLES, PERMISSIONS } from '../permissions.ts'
import { route } from '../route.ts'
import { Datetime, Id, Message, messageAnd, named, nullable, oneOf } from '../shapes/common.ts'
import { Xprofile } from '../shapes/xprofile.ts'
import { Type } from '../typebox.ts'

/** Maximum length of a display name, in characters. */
export const DISPLAY_NAME_LENGTH = 100

const Username = Type.String({
  description: 'The username: 3 to 30 characters of a-z, 0-9, _ and -. Uppercase letters are converted to lowercase.',
  examples: ['ada'],
})
const Email = Type.String({ description: 'The email address, in lowercase.', examples: ['ada@example.org'] })
const NewPassword = Type.String({
  description: 'The password: at least 10 characters and not a common one.',
  examples: ['Quiet-river-7431'],
})
const Token = Type.String({ description: 'The token from the link in the email.', maxLength: 200 })

const OtherUsername = Type.Optional(
  nullable(Type.String({ description: 'A new username, if another account has taken the registered one in the meantime.' })),
)

const person = {
  username: Username,
  email: Email,
  password: NewPassword,
  display_name: Type.Optional(
    nullable(Type.String({ description: `The display name, at most ${DISPLAY_NAME_LENGTH} characters; default: the username.` })),
  ),
}

const NewAccount = Type.Object({
  id: Id,
  username: Type.String(),
  email: Type.String(),
  display_name: Type.String(),
  role: oneOf(ACCOUNT_ROLES),
  status: oneOf(['active', 'unverified', 'pending'], { description: 'Status of the account; only `active` accounts can sign in.' }),
  created_at: Datetime,
})

export const SessionUser = named('SessionUser', {
  ...Xprofile.properties,
  role: oneOf(ACCOUNT_ROLES),
  permissions: Type.Array(oneOf(PERMISSIONS)),
  lang: oneOf(['', ...LANGUAGES], { description: 'Language that the user has chosen; empty if none.' }),
})

const ACCOUNT_ERRORS = ['invalid_username', 'invalid_email', 'weak_password', 'username_taken', 'email_taken'] as const

export const auth = {
  setup: route({
    method: 'POST',
    path: '/auth/setup',
    access: 'public',
    cookies: 'ignored',
    summary: 'Create the first administrator',
    description: 'Works once, with the token of the setup link that the server prints when it starts without an administrator.',
    body: Type.Object({ token: Token, ...person }),
    response: messageAnd(NewAccount),
    status: 201,
    errors: ['setup_done', 'invalid_token', ...ACCOUNT_ERRORS],
  }),
  register: route({
    method: 'POST',
    path: '/auth/register',
    access: 'public',
    cookies: 'ignored',
    summary: 'Register an account',
    description:
      'Does not sign in. Available while the setting `allow_registration` is on. With `require_email_verification` the account must confirm its email address before it can be used (403 `email_not_verified`); with `approval_required` an administrator must approve it (403 `account_pending`). An unconfirmed account reserves neither username nor email address: the first account to confirm gets them. With `require_email_verification`, the response for an address that is already registered is the same, and its owner receives an email.',
    body: Type.Object(person),
    response: messageAnd(NewAccount),
    status: 201,
    errors: ['registration_closed', ...ACCOUNT_ERRORS],
  }),
  verifyEmail: route({
    method: 'POST',
    path: '/auth/verify-email',
    access: 'public',
    cookies: 'ignored',
    summary: 'Confirm an email address',
    description:
      'The token from the email works once, within two days. The account can then be used, unless it also needs approval. In the browser that registered (identified by a cookie), the chosen password stays. Elsewhere `password` is required and replaces it (403 `password_required`), because somebody else may have registered with this address.',
    body: Type.Object({ token: Token, password: Type.Optional(nullable(NewPassword)), username: OtherUsername }),
    response: messageAnd(Type.Object({ status: oneOf(['active', 'pending']) })),
    errors: ['invalid_token', 'password_required', 'weak_password', 'invalid_username', 'username_taken'],
  }),
  resendVerification: route({
    method: 'POST',
    path: '/auth/resend-verification',
    access: 'public',
    cookies: 'ignored',
    summary: 'Resend the confirmation email',
    description: 'The response is the same whether or not the account exists.',
    body: Type.Object({ login: Type.String({ description: 'Username or email address.', examples: ['ada'] }) }),
    response: Message,
  }),
  login: route({
    method: 'POST',
    path: '/auth/login',
    access: 'public',
    cookies: 'ignored',
    secret: true,
    summary: 'Sign in',
    description:
      'Sets the session cookie and returns the user and the nonce that every later POST, PUT, PATCH and DELETE must send as `X-Lyceum-Nonce`. A wrong username or password returns 401 `rest_forbidden`. At most 10 failed attempts per minute for each login and each IP address; a browser that has signed in to the account before has a separate limit of 10. If the request carries a session cookie, that session ends.',
    body: Type.Object({
      login: Type.String({ description: 'Username or email address.', examples: ['ada'] }),
      password: Type.String({ description: 'The account password.', examples: ['Quiet-river-7431'] }),
    }),
    response: Type.Object({ message: Type.String(), user: SessionUser, nonce: Type.String() }),
  }),
  logout: route({
    method: 'POST',
    path: '/auth/logout',
    access: 'public',
    summary: 'Sign out',
    description: 'Ends the session of the cookie. The response is the same if there is no session.',
    response: Message,
    errors: ['rest_cookie_invalid_nonce'],
  }),
  forgotPassword: route({
    method: 'POST',
    path: '/auth/forgot-password',
    access: 'public',
    cookies: 'ignored',
    summary: 'Request a password reset',
    description: 'Sends an email with a link. Requires `login` or `email`. The response is the same whether or not the account exists.',
    body: Type.Object({
      login: Type.Optional(Type.String({ description: 'Username or email address.', examples: ['ada@example.org'] })),
      email: Type.Optional(Type.String({ description: 'An alias of `login`.' })),
    }),
    response: Message,
    errors: ['missing_required_field'],
  }),
  resetPassword: route({
    method: 'POST',
    path: '/auth/reset-password',
    access: 'public',
    cookies: 'ignored',
    summary: 'Reset the password',
    description:
      'The token from the email works once, within one hour. All sessions of the account end; its application passwords, other links and data exports are revoked. If the email address is not confirmed yet, this confirms it.',
    body: Type.Object({ token: Token, password: NewPassword, username: OtherUsername }),
    response: Message,
    errors: ['invalid_token', 'weak_password', 'invalid_username', 'username_taken'],
  }),
  confirmEmail: route({
    method: 'POST',
    path: '/auth/confirm-email',
    access: 'public',
    cookies: 'ignored',
    summary: 'Confirm a new email address',
    description:
      'The token from the email works once, within two days. The previous address receives an email with a link that reverts the change.',
    body: Type.Object({ token: Token }),
    response: Message,
    errors: ['invalid_token', 'email_taken'],
  }),
  undoEmailChange: route({
    method: 'POST',
    path: '/auth/undo-email-change',
    access: 'public',
    cookies: 'ignored',
    summary: 'Revert a change of the email address',
    description:
      'The token from the email to the previous address works once, within seven days. The account gets its previous address back; its sessions, application passwords, links and data exports are revoked, the password becomes invalid, and an email with a link to choose a new one is sent.',
    body: Type.Object({ token: Token }),
    response: Message,
    errors: ['invalid_token', 'email_taken'],
  }),
  session: route({
    method: 'GET',
    path: '/auth/session',
    access: 'public',
    secret: true,
    summary: 'Get the session',
    description:
      'Returns the authenticated user and the nonce of the session. Both are null without credentials. With Basic authentication there is no session and no nonce.',
    response: Type.Object({
      user: nullable(SessionUser),
      nonce: nullable(Type.String({ description: 'The value for `X-Lyceum-Nonce`, valid for at least 12 hours; null without a session.' })),
    }),
  }),
} as const
