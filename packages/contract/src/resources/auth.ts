import { ACCOUNT_ROLES, PERMISSIONS } from '../permissions.ts'
import { route } from '../route.ts'
import { Datetime, Id, Message, messageAnd, named, nullable, oneOf } from '../shapes/common.ts'
import { Xprofile } from '../shapes/xprofile.ts'
import { Type } from '../typebox.ts'

/** Longest display name, in characters. */
export const DISPLAY_NAME_LENGTH = 100

const Username = Type.String({ description: '3 to 30 of a-z, 0-9, _ and -; capitals are lower-cased', examples: ['ada'] })
const Email = Type.String({ description: 'Lower-cased', examples: ['ada@example.org'] })
const NewPassword = Type.String({ description: 'At least 10 characters, not one of the common ones', examples: ['Quiet-river-7431'] })
const Token = Type.String({ description: 'From the link', maxLength: 200 })

const OtherUsername = Type.Optional(
  nullable(Type.String({ description: 'In place of the one that was registered, where another account has taken it since' })),
)

const person = {
  username: Username,
  email: Email,
  password: NewPassword,
  display_name: Type.Optional(
    nullable(Type.String({ description: `At most ${DISPLAY_NAME_LENGTH} characters; the username if left out` })),
  ),
}

const NewAccount = Type.Object({
  id: Id,
  username: Type.String(),
  email: Type.String(),
  display_name: Type.String(),
  role: oneOf(ACCOUNT_ROLES),
  status: oneOf(['active', 'unverified', 'pending'], { description: 'Others than active ones cannot sign in yet' }),
  created_at: Datetime,
})

export const SessionUser = named('SessionUser', {
  ...Xprofile.properties,
  role: oneOf(ACCOUNT_ROLES),
  permissions: Type.Array(oneOf(PERMISSIONS)),
})

const ACCOUNT_ERRORS = ['invalid_username', 'invalid_email', 'weak_password', 'username_taken', 'email_taken'] as const

export const auth = {
  setup: route({
    method: 'POST',
    path: '/auth/setup',
    access: 'public',
    cookies: 'ignored',
    summary: 'Make the first administrator',
    description: 'Works once, with the token of the link that the server prints when it starts without an administrator.',
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
    summary: 'Make an account',
    description:
      'Does not sign in. Open as long as the setting allow_registration is on. With require_email_verification the account waits until its address is confirmed (403 `email_not_verified`), with approval_required until an administrator approves it (403 `account_pending`). An account that waits for its confirmation reserves neither username nor address: the first that is confirmed gets them. An address that is known already is then answered like any other, and its owner gets a mail.',
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
    summary: 'Confirm an e-mail address with the token of the mail',
    description:
      'The token works once, within two days. The account can be used then, unless it also has to be approved. In the browser that registered ' +
      '(it got a cookie) the password chosen then stays; anywhere else `password` is needed and replaces it (403 `password_required`), since ' +
      'somebody else may have registered with this address.',
    body: Type.Object({ token: Token, password: Type.Optional(nullable(NewPassword)), username: OtherUsername }),
    response: messageAnd(Type.Object({ status: oneOf(['active', 'pending']) })),
    errors: ['invalid_token', 'password_required', 'weak_password', 'invalid_username', 'username_taken'],
  }),
  resendVerification: route({
    method: 'POST',
    path: '/auth/resend-verification',
    access: 'public',
    cookies: 'ignored',
    summary: 'Ask for another mail with the link that confirms the address',
    description: 'The answer is the same whether there is such an account or not.',
    body: Type.Object({ login: Type.String({ description: 'Username or e-mail address', examples: ['ada'] }) }),
    response: Message,
  }),
  login: route({
    method: 'POST',
    path: '/auth/login',
    access: 'public',
    cookies: 'ignored',
    secret: true,
    summary: 'Sign in with a session cookie',
    description:
      'Sets the cookie and answers who is signed in, with the nonce that every later POST, PUT, PATCH and DELETE must carry as ' +
      'X-Lyceum-Nonce. Wrong username or password: 401 `rest_forbidden`. At most 10 failed tries a minute for a login or an address; a browser that ' +
      'signed in to the account before has 10 of its own. A session whose cookie comes along ends.',
    body: Type.Object({
      login: Type.String({ description: 'Username or e-mail address', examples: ['ada'] }),
      password: Type.String({ description: 'The account password', examples: ['Quiet-river-7431'] }),
    }),
    response: Type.Object({ message: Type.String(), user: SessionUser, nonce: Type.String() }),
  }),
  logout: route({
    method: 'POST',
    path: '/auth/logout',
    access: 'public',
    summary: 'Sign out: end the session of the cookie',
    description: 'Answers the same when there is no session.',
    response: Message,
    errors: ['rest_cookie_invalid_nonce'],
  }),
  forgotPassword: route({
    method: 'POST',
    path: '/auth/forgot-password',
    access: 'public',
    cookies: 'ignored',
    summary: 'Ask for a mail with a link to choose a new password',
    description: 'Needs `login` or `email`. The answer is the same whether there is such an account or not.',
    body: Type.Object({
      login: Type.Optional(Type.String({ description: 'Username or e-mail address', examples: ['ada@example.org'] })),
      email: Type.Optional(Type.String({ description: 'Another name for `login`' })),
    }),
    response: Message,
    errors: ['missing_required_field'],
  }),
  resetPassword: route({
    method: 'POST',
    path: '/auth/reset-password',
    access: 'public',
    cookies: 'ignored',
    summary: 'Choose a new password with the token of the mail',
    description:
      'The token works once, within an hour. All sessions of the account end, and its application passwords, links and archives are revoked. ' +
      'An account that waits for the confirmation of its address is confirmed by it.',
    body: Type.Object({ token: Token, password: NewPassword, username: OtherUsername }),
    response: Message,
    errors: ['invalid_token', 'weak_password', 'invalid_username', 'username_taken'],
  }),
  confirmEmail: route({
    method: 'POST',
    path: '/auth/confirm-email',
    access: 'public',
    cookies: 'ignored',
    summary: 'Confirm the new e-mail address of an account with the token of the mail',
    description: 'The token works once, within two days. The former address gets a mail with a link that undoes the change.',
    body: Type.Object({ token: Token }),
    response: Message,
    errors: ['invalid_token', 'email_taken'],
  }),
  undoEmailChange: route({
    method: 'POST',
    path: '/auth/undo-email-change',
    access: 'public',
    cookies: 'ignored',
    summary: 'Undo a change of the e-mail address with the token of the mail to the former one',
    description:
      'The token works once, within seven days. The account has its former address again; sessions, application passwords, links and archives ' +
      'are revoked, the password is no longer valid, and a mail with a link to choose a new one is sent.',
    body: Type.Object({ token: Token }),
    response: Message,
    errors: ['invalid_token', 'email_taken'],
  }),
  session: route({
    method: 'GET',
    path: '/auth/session',
    access: 'public',
    secret: true,
    summary: 'Who is signed in, and the nonce of the session',
    description: 'Both are null without credentials. With Basic credentials there is no session, hence no nonce.',
    response: Type.Object({
      user: nullable(SessionUser),
      nonce: nullable(Type.String({ description: 'For X-Lyceum-Nonce; valid for 12 hours at least' })),
    }),
  }),
} as const
