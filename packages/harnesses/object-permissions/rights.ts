/*
 * Who may do what with what stands where, as the description of the API has it: plain data, written apart from the server's code.
 */

/** Who asks. Members cannot block each other here; who is banned from the spaces, and whose request to follow waits, come nearest. */
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

/** What those are told who are not let in at all. */
export const SHUT_OUT: Partial<Readonly<Record<ActorName, string>>> = {
  anonymous: '401 rest_forbidden',
  'wrong password': '401 rest_forbidden',
  suspended: '403 account_suspended',
  banned: '403 account_banned',
}

export const PLACES = ['none', 'public', 'private', 'secret'] as const
export type Place = (typeof PLACES)[number]

/**
 * `read`: what everybody there reads; `circle`: what is private there; `join`: comments, reacts, votes; `feeds`, `comments`: others' feeds, others'
 * comments; `decide`: what is held; `pin`, `feature`: what stands out; `resolve`: reports; `rule`: what is for administrators alone.
 */
export type Right = 'read' | 'circle' | 'join' | 'feeds' | 'comments' | 'decide' | 'pin' | 'feature' | 'resolve' | 'rule'

/** Space for space: without one, in a public, a private and a secret one. `own` stands for what is everybody's where no space is. */
type Row = readonly [none: string, open: string, closed: string, secret: string]

const VISITOR: Row = ['read join', 'read', '', '']
const MEMBER: Row = ['read join', 'read join circle', 'read join circle', 'read join circle']
const LEADS = 'read join circle feeds comments decide pin feature'
const LEADER: Row = ['read join', LEADS, LEADS, LEADS]
const everywhere = (rights: string): Row => [rights, rights, rights, rights]

const MANAGES = 'read join circle feeds comments decide pin feature resolve'

/** The manager's and the moderator's defaults: what a record of that role holds unless somebody changes it. */
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

/** Holds the permission to decide about reports somewhere: is not turned away at the door, but told that there is no such thing. */
export const RESOLVERS: readonly ActorName[] = ['global moderator', 'global manager', 'manager here', 'manager elsewhere', 'administrator']

/** Sees the people whom a private profile is shown with, besides its owner. */
export const CIRCLE: readonly ActorName[] = [
  'follower',
  'global moderator',
  'global manager',
  'manager here',
  'manager elsewhere',
  'administrator',
]
