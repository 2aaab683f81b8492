/*
 * Who may do what, depending on the place of an object, as the API documentation describes it: plain data, written independently of the
 * server's code.
 */

/**
 * The caller. Members cannot block each other here; the closest cases are people banned from the spaces and people with a pending follow
 * request.
 */
export const ACTORS = [
  'anonymous',
  'wrong password',
  'outsider',
  'follower',
  'asked to follow',
  'space member',
  'space moderator',
  'space admin',
  'author',
  'global moderator',
  'global manager',
  'manager here',
  'manager elsewhere',
  'inactive manager',
  'administrator',
  'suspended',
  'banned',
  'banned from the space',
] as const
export type ActorName = (typeof ACTORS)[number]

/** The error for actors who are refused everywhere. */
export const SHUT_OUT: Partial<Readonly<Record<ActorName, string>>> = {
  anonymous: '401 rest_forbidden',
  'wrong password': '401 rest_forbidden',
  suspended: '403 account_suspended',
  banned: '403 account_banned',
}

export const PLACES = ['none', 'public', 'private', 'secret'] as const
export type Place = (typeof PLACES)[number]

/**
 * `read`: read public content; `circle`: read private content; `join`: comment, react, vote; `feeds`, `comments`: manage others' feeds or
 * comments; `decide`: decide about held content; `pin`, `feature`: highlight content; `resolve`: resolve reports; `rule`: reserved to
 * administrators.
 */
export type Right = 'read' | 'circle' | 'join' | 'feeds' | 'comments' | 'decide' | 'pin' | 'feature' | 'resolve' | 'rule'

/** Rights per place: no space, a public, a private and a secret one. `own` stands for the rights everyone has outside spaces. */
type Row = readonly [none: string, open: string, closed: string, secret: string]

const VISITOR: Row = ['read join', 'read', '', '']
const MEMBER: Row = ['read join', 'read join circle', 'read join circle', 'read join circle']
const LEADS = 'read join circle feeds comments decide pin feature'
const LEADER: Row = ['read join', LEADS, LEADS, LEADS]
const everywhere = (rights: string): Row => [rights, rights, rights, rights]

const MANAGES = 'read join circle feeds comments decide pin feature resolve'

/** The default permissions of manager and moderator records. */
const RIGHTS: Readonly<Record<ActorName, Row>> = {
  anonymous: everywhere(''),
  'wrong password': everywhere(''),
  outsider: VISITOR,
  follower: ['read join circle', 'read', '', ''],
  'asked to follow': VISITOR,
  'space member': MEMBER,
  'space moderator': LEADER,
  'space admin': LEADER,
  author: MEMBER,
  'global moderator': everywhere('read join circle comments decide resolve'),
  'global manager': everywhere(MANAGES),
  'manager here': ['read join', MANAGES, MANAGES, MANAGES],
  'manager elsewhere': VISITOR,
  'inactive manager': VISITOR,
  administrator: everywhere(`${MANAGES} rule`),
  suspended: everywhere(''),
  banned: everywhere(''),
  'banned from the space': VISITOR,
}

export type Rights = Readonly<Record<ActorName, Row>>
export const asWritten: Rights = RIGHTS

export const rightsOf = (actor: ActorName, place: Place, rights: Rights = RIGHTS): ReadonlySet<Right> =>
  new Set(rights[actor][PLACES.indexOf(place)]?.split(' ') as Right[])

/** Has the permission to resolve reports somewhere: passes the gate, but gets 404 where it does not apply. */
export const RESOLVERS: readonly ActorName[] = ['global moderator', 'global manager', 'manager here', 'manager elsewhere', 'administrator']

/** People, besides the owner, to whom a private profile is visible. */
export const CIRCLE: readonly ActorName[] = [
  'follower',
  'global moderator',
  'global manager',
  'manager here',
  'manager elsewhere',
  'administrator',
]
