/** The actors: three members and an administrator. The first two members are in both spaces. */
export const ACTORS = [0, 1, 2, 3] as const
export const MEMBERS = [0, 1, 2] as const
export const ADMIN = 3
/** Where a feed is posted: outside spaces, in an open space, in a closed one. */
export const PLACES = ['nowhere', 'open', 'closed'] as const
export type Place = (typeof PLACES)[number]
export const OPTIONS = ['a', 'b', 'c'] as const
export const MOST_ATTEMPTS = 2
export const PASSING = 60

export interface Feed {
  readonly name: string
  readonly by: number
  /** Creation order. */
  readonly serial: number
  place: Place
  privacy: 'public' | 'private'
  status: 'published' | 'draft'
  /** Time of the last publication. */
  published: number
  text: string
  survey: 'none' | 'single' | 'multiple'
  locked: boolean
}
export interface Comment {
  readonly name: string
  readonly by: number
  readonly feed: string
  readonly parent: string | null
  text: string
}
export interface Reaction {
  readonly name: string
  readonly by: number
  readonly feed: string
  readonly comment: string | null
  type: string
}
export interface Mark {
  readonly by: number
  readonly feed: string
}
export interface Vote extends Mark {
  readonly options: readonly string[]
}
export interface Follow {
  readonly name: string
  readonly from: number
  readonly to: number
  status: 'active' | 'pending'
}
export interface Attempt {
  readonly by: number
  readonly number: number
  score: number | null
}

/** The state of a run in the model: plain data; every list is in creation order. */
export interface State {
  now: number
  serial: number
  /** People with a private profile. */
  closed: boolean[]
  feeds: Feed[]
  comments: Comment[]
  reactions: Reaction[]
  bookmarks: Mark[]
  votes: Vote[]
  follows: Follow[]
  attempts: Attempt[]
  notices: Notice[]
  /** Events that the jobs have not processed yet. */
  events: Event[]
  /** Names of everything ever created, for requests to deleted objects. */
  made: { feeds: string[]; comments: string[] }
}

/** A notification with all its causes. */
export interface Notice {
  readonly to: number
  readonly subject: string
  readonly feed: string | null
  readonly comment: string | null
  readonly causes: { readonly by: number; readonly comment: string | null }[]
  isRead: boolean
}

export type Event =
  | { readonly kind: 'commented'; readonly comment: string; readonly feed: string }
  | { readonly kind: 'reacted'; readonly by: number; readonly feed: string; readonly comment: string | null }
  | {
      readonly kind: 'edited'
      readonly to: number
      readonly by: number
      readonly feed: string
      readonly comment: string | null
      readonly text: string
    }
  | { readonly kind: 'followed'; readonly from: number; readonly to: number }

export const emptyState = (): State => ({
  now: 0,
  serial: 0,
  closed: ACTORS.map(() => false),
  feeds: [],
  comments: [],
  reactions: [],
  bookmarks: [],
  votes: [],
  follows: [],
  attempts: [],
  notices: [],
  events: [],
  made: { feeds: [], comments: [] },
})

export const follows = (state: State, from: number, to: number): Follow | undefined =>
  state.follows.find((row) => row.from === from && row.to === to)

const isIn = (by: number, place: Place): boolean => by === ADMIN || (place !== 'nowhere' && by < 2)

/** Whether a person may post in a place. */
export const mayPost = (by: number, place: Place): boolean => place === 'nowhere' || isIn(by, place)

/** Whether the place and privacy of a feed allow a person to see it, regardless of its status. */
export const inReach = (state: State, by: number, { by: author, place, privacy }: Feed): boolean => {
  if (place === 'closed' && !isIn(by, place)) return false
  return (
    privacy === 'public' || by === author || isIn(by, place) || (place === 'nowhere' && follows(state, by, author)?.status === 'active')
  )
}

export const sees = (state: State, by: number, feed: Feed): boolean =>
  inReach(state, by, feed) && (feed.status === 'published' || feed.by === by)

/** Whether a person may comment, react and vote. */
export const takesPart = (state: State, by: number, feed: Feed): boolean =>
  sees(state, by, feed) && feed.status === 'published' && (feed.place === 'nowhere' || isIn(by, feed.place))

/** The feed, if the person can see it. */
export const seenFeed = (state: State, by: number, name: string): Feed | undefined =>
  state.feeds.find((feed) => feed.name === name && sees(state, by, feed))

/** The comment and its feed, if the person can see them. */
export const seenComment = (state: State, by: number, name: string): { comment: Comment; feed: Feed } | undefined => {
  const comment = state.comments.find((one) => one.name === name)
  const feed = comment && seenFeed(state, by, comment.feed)
  return comment && feed && { comment, feed }
}
