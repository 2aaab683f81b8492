/** Every credential that gives access to an account. */
export const KINDS = [
  'password',
  'own session',
  'other session',
  'application password',
  'child application password',
  'stream of the other session',
  'stream of the application password',
  'push subscription',
  'pending export',
  'export download',
  'unsubscribe key',
  'reset link',
  'device cookie',
  'email-change link',
  'undo link',
] as const
export type Kind = (typeof KINDS)[number]

export const EVENTS = [
  'password reset',
  'password change',
  'password change that keeps application passwords',
  'password change with the child application password',
  'sign-out',
  'application password revoked',
  'email change',
  'email change undone',
  'suspension',
  'suspension lifted',
  'ban',
  'deletion',
  'rename',
  'role change',
] as const
export type Event = (typeof EVENTS)[number]

const APPLICATION_PASSWORDS = ['application password', 'child application password', 'stream of the application password'] as const
const OTHER_SESSION = ['other session', 'stream of the other session'] as const

/**
 * Credentials revoked by each event; all others stay valid. `own session` is the one that acts. Push subscriptions belong to the account,
 * not to a session. The unsubscribe key is a signature that only turns off mail, and is valid as long as the server's secret. The undo link
 * survives everything except the deletion of the account: the former owner of the address must not lose it to a thief who resets the
 * password.
 */
export const ENDED: Readonly<Record<Event, readonly Kind[]>> = {
  'password reset': [
    'password',
    'own session',
    'push subscription',
    ...OTHER_SESSION,
    ...APPLICATION_PASSWORDS,
    'pending export',
    'export download',
    'reset link',
    'device cookie',
    'email-change link',
  ],
  // The browser that makes the change gets a new cookie.
  'password change': [
    'password',
    ...OTHER_SESSION,
    ...APPLICATION_PASSWORDS,
    'pending export',
    'reset link',
    'device cookie',
    'email-change link',
  ],
  'password change that keeps application passwords': [
    'password',
    ...OTHER_SESSION,
    'pending export',
    'reset link',
    'device cookie',
    'email-change link',
  ],
  'password change with the child application password': [
    'password',
    'own session',
    'push subscription',
    ...OTHER_SESSION,
    'application password',
    'stream of the application password',
    'pending export',
    'reset link',
    'device cookie',
    'email-change link',
  ],
  'sign-out': ['own session', 'push subscription'],
  'application password revoked': [...APPLICATION_PASSWORDS],
  'email change': ['reset link', 'email-change link'],
  'email change undone': [
    'password',
    'own session',
    'push subscription',
    ...OTHER_SESSION,
    ...APPLICATION_PASSWORDS,
    'pending export',
    'export download',
    'reset link',
    'device cookie',
    'email-change link',
    'undo link',
  ],
  suspension: [
    'password',
    'own session',
    'push subscription',
    ...OTHER_SESSION,
    ...APPLICATION_PASSWORDS,
    'export download',
    'device cookie',
  ],
  'suspension lifted': ['own session', 'push subscription', ...OTHER_SESSION, 'stream of the application password'],
  ban: ['password', 'own session', 'push subscription', ...OTHER_SESSION, ...APPLICATION_PASSWORDS, 'export download', 'device cookie'],
  deletion: [
    'password',
    'own session',
    ...OTHER_SESSION,
    ...APPLICATION_PASSWORDS,
    'push subscription',
    'pending export',
    'export download',
    'reset link',
    'device cookie',
    'email-change link',
    'undo link',
  ],
  rename: [],
  'role change': [],
}
