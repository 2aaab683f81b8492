import type { Feed, Place, State } from './state.ts'
import { ACTORS, ADMIN, MEMBERS, OPTIONS, PLACES } from './state.ts'

/** A change to a feed; one property at a time. */
export type Change =
  | { readonly text: string }
  | { readonly privacy: Feed['privacy'] }
  | { readonly status: Feed['status'] }
  | { readonly place: Place }
  | { readonly locked: boolean }

interface OnFeed {
  readonly feed: string
}
interface OnThing extends OnFeed {
  /** null: refers to the feed itself. */
  readonly comment: string | null
}

/** An action or read of a person; a created object gets the given name. */
export type Operation = { readonly by: number } & (
  | ({ readonly kind: 'post'; readonly name: string } & Pick<Feed, 'place' | 'privacy' | 'status' | 'survey'>)
  | ({ readonly kind: 'edit'; readonly change: Change } & OnFeed)
  | ({ readonly kind: 'remove' } & OnFeed)
  | ({ readonly kind: 'comment'; readonly name: string; readonly parent: string | null } & OnFeed)
  | ({ readonly kind: 'reword'; readonly comment: string; readonly text: string } & OnFeed)
  | ({ readonly kind: 'uncomment'; readonly comment: string } & OnFeed)
  | ({ readonly kind: 'react'; readonly name: string; readonly type: string } & OnThing)
  | ({ readonly kind: 'unreact'; readonly reaction: string } & OnThing)
  | ({ readonly kind: 'bookmark' | 'unbookmark' } & OnFeed)
  | ({ readonly kind: 'vote'; readonly options: readonly string[] } & OnFeed)
  | { readonly kind: 'follow'; readonly name: string; readonly to: number }
  | { readonly kind: 'unfollow' | 'drop'; readonly to: number }
  | { readonly kind: 'approve' | 'reject'; readonly from: number; readonly request: string | null }
  | { readonly kind: 'hide' | 'show' | 'start' | 'readAll' }
  | { readonly kind: 'submit'; readonly right: number }
  | Read
)

export type Read =
  | ({ readonly kind: 'see' | 'seeComments' } & OnFeed)
  | ({ readonly kind: 'seeReactions' } & OnThing)
  | { readonly kind: 'seePlace'; readonly place: 'open' | 'closed' }
  | { readonly kind: 'seePosts' | 'seeFollowers' | 'seeFollow'; readonly of: number }
  | { readonly kind: 'seeBookmarks' | 'seeRequests' | 'seeResult' }
  /** Points and unread notifications, which are correct once the jobs have run. */
  | { readonly kind: 'seeStanding' }

/** A planned operation whose objects are selected from those that exist when it runs. */
export interface PlannedOperation {
  readonly kind: Operation['kind']
  readonly by: number
  readonly first: number
  readonly second: number
  readonly third: number
}

export const TYPES = ['like', 'love', 'sad']

const at = <T>(list: readonly T[], n: number): T | undefined => list[n % Math.max(1, list.length)]

const changeOf = (second: number, third: number, name: string): Change => {
  const odd = third % 2 === 1
  if (second % 5 === 0) return { text: `Words ${name}` }
  if (second % 5 === 1) return { privacy: odd ? 'private' : 'public' }
  if (second % 5 === 2) return { status: odd ? 'draft' : 'published' }
  if (second % 5 === 3) return { place: at(PLACES, third) ?? 'nowhere' }
  return { locked: odd }
}

/** The options that a number encodes, usually one. */
const optionsOf = (n: number): string[] => {
  if (n % 5 === 4) return ['nonsense']
  if (n % 5 === 3) return ['a', 'c']
  return [OPTIONS[n % 3] ?? 'a']
}

/**
 * Operations that need no feed. The administrator is shared by all runs and does only the first of these: their own data grows from run to
 * run.
 */
const AT_LARGE = ['post', 'seePlace', 'seePosts', 'seeFollowers', 'seeFollow'] as const
const OF_ONES_OWN = ['follow', 'unfollow', 'drop', 'approve', 'reject', 'hide', 'show', 'start', 'submit', 'readAll'] as const
const LOOKS_AT_ONES_OWN = ['seeStanding', 'seeBookmarks', 'seeRequests', 'seeResult'] as const

type AtLarge = (typeof AT_LARGE)[number]
type OnesOwn = (typeof OF_ONES_OWN)[number] | (typeof LOOKS_AT_ONES_OWN)[number]
type WithFeed = Exclude<Operation['kind'], AtLarge | OnesOwn>
const isAtLarge = (kind: Operation['kind']): kind is AtLarge => (AT_LARGE as readonly string[]).includes(kind)
const isOnesOwn = (kind: Operation['kind']): kind is OnesOwn => [...OF_ONES_OWN, ...LOOKS_AT_ONES_OWN].includes(kind as OnesOwn)

type Asked<K> = Omit<PlannedOperation, 'kind'> & { readonly kind: K; readonly name: string }

const other = (by: number, n: number): number =>
  at(
    MEMBERS.filter((one) => one !== by),
    n,
  ) as number

const atLarge = ({ kind, by, first, second, third, name }: Asked<AtLarge>): Operation => {
  if (kind === 'seePlace') return { kind, by, place: first % 2 === 0 ? 'open' : 'closed' }
  if (kind === 'seeFollow') return { kind, by, of: other(by, first) }
  if (kind !== 'post') return { kind, by, of: at(MEMBERS, first) as number }
  const survey = at(['none', 'single', 'multiple'] as const, third) as Feed['survey']
  const privacy = second % 3 === 2 ? 'private' : 'public'
  return { kind, by, name, place: at(PLACES, first) as Place, privacy, status: third % 5 === 4 ? 'draft' : 'published', survey }
}

const onesOwn = (state: State, { kind, by, first, name }: Asked<OnesOwn>): Operation => {
  const to = other(by, first)
  if (kind === 'follow') return { kind, by, name, to }
  if (kind === 'unfollow' || kind === 'drop') return { kind, by, to }
  if (kind === 'submit') return { kind, by, right: first % 4 }
  if (kind !== 'approve' && kind !== 'reject') return { kind, by }
  // Answers a pending request, if there is one.
  const waiting = state.follows.find((row) => row.to === by && row.status === 'pending')
  return { kind, by, from: waiting?.from ?? to, request: waiting?.name ?? null }
}

const withFeed = (state: State, { kind, by, first, second, third, name }: Asked<WithFeed>): Operation => {
  // Occasionally refers to a deleted object: the response must say so.
  const gone = third % 7 === 6
  const feeds = gone ? state.made.feeds : state.feeds.map((one) => one.name)
  const feed = at(feeds, first) as string
  const here = state.comments.filter((one) => one.feed === feed).map((one) => one.name)
  const comment = at(gone ? state.made.comments : here, second) ?? null
  const thing = third % 2 === 0 ? null : comment
  if (kind === 'edit') return { kind, by, feed, change: changeOf(second, third, name) }
  if (kind === 'react') return { kind, by, name, feed, comment: thing, type: at(TYPES, second) as string }
  if (kind === 'seeReactions') return { kind, by, feed, comment: thing }
  if (kind === 'vote') return { kind, by, feed, options: optionsOf(second) }
  if (kind === 'reword' && comment) return { kind, by, feed, comment, text: `Words ${name}` }
  if (kind === 'uncomment' && comment) return { kind, by, feed, comment }
  if (kind === 'unreact') {
    const row = at(state.reactions, first)
    if (!row) return { kind: 'react', by, name, feed, comment: thing, type: 'like' }
    return { kind, by, feed: row.feed, comment: row.comment, reaction: row.name }
  }
  if (kind === 'comment' || kind === 'reword' || kind === 'uncomment')
    return { kind: 'comment', by, name, feed, parent: third % 3 === 1 ? comment : null }
  return { kind, by, feed }
}

/** The operation that a wish currently stands for; missing objects are created first. A created object is called `name`. */
export const operationOf = (state: State, asked: PlannedOperation, name: string): Operation => {
  const { kind, by } = asked
  if (isAtLarge(kind)) return atLarge({ ...asked, kind, name })
  if (isOnesOwn(kind)) return onesOwn(state, { ...asked, kind, name, by: by === ADMIN ? asked.first % ADMIN : by })
  if (state.feeds.length === 0) return atLarge({ ...asked, kind: 'post', name })
  return withFeed(state, { ...asked, kind, name })
}

/**
 * The final reads of a run: everything about each feed by someone who can see it, the lists by one person, and each person's own data.
 * `turn` selects the person.
 */
export const finalReads = (state: State, turn: number): Operation[] => {
  const viewer = turn % ACTORS.length
  return [
    ...state.feeds.flatMap(({ name: feed, by }): Operation[] => [
      { kind: 'see', by, feed },
      { kind: 'see', by: viewer, feed },
      { kind: 'seeComments', by: viewer, feed },
      { kind: 'seeReactions', by, feed, comment: null },
    ]),
    ...state.comments.map(({ name: comment, feed, by }): Operation => ({ kind: 'seeReactions', by, feed, comment })),
    { kind: 'seePlace', by: viewer, place: 'open' },
    { kind: 'seePlace', by: viewer, place: 'closed' },
    ...MEMBERS.map((of): Operation => ({ kind: 'seePosts', by: viewer, of })),
    ...MEMBERS.flatMap((by): Operation[] => [
      { kind: 'seeStanding', by },
      { kind: 'seeBookmarks', by },
      { kind: 'seeResult', by },
      { kind: 'seeRequests', by },
      { kind: 'seeFollowers', by: viewer === ADMIN ? by : viewer, of: by },
    ]),
  ]
}
