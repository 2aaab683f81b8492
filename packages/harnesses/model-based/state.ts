/** Who acts: three members, and an administrator. The first two are members of both spaces. */
export const ACTORS = [0, 1, 2, 3] as const
export const MEMBERS = [0, 1, 2] as const
export const ADMIN = 3
/** Where a feed stands: in no space, in an open one, in a closed one. */
export const PLACES = ['nowhere', 'open', 'closed'] as const
export type Place = (typeof PLACES)[number]
export const OPTIONS = ['a', 'b', 'c'] as const
export const MOST_ATTEMPTS = 2
export const PASSING = 60

export interface Feed {
  readonly name: string
  readonly by: number
  /** In the order in which they were made. */
  readonly serial: number
  place: Place
  privacy: 'public' | 'private'
  status: 'published' | 'draft'
  /** When it was last published. */
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

/** All that a run is about, as the rules have it: plain data, the oldest first in every list. */
export interface State {
  now: number
  serial: number
  /** Whose profile is private. */
  closed: boolean[]
  feeds: Feed[]
  comments: Comment[]
  reactions: Reaction[]
  bookmarks: Mark[]
  votes: Vote[]
  follows: Follow[]
  attempts: Attempt[]
  notices: Notice[]
  /** What has happened and no job has seen yet. */
  events: Event[]
  /** Names of what was ever made, for requests to what is gone. */
  made: { feeds: string[]; comments: string[] }
}

/** Something that a person was told, with everything that caused it. */
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

/** Whether somebody may post there. */
export const mayPost = (by: number, place: Place): boolean => place === 'nowhere' || isIn(by, place)

/** Whether place and privacy of a feed let somebody see it, whatever its status. */
export const inReach = (state: State, by: number, { by: author, place, privacy }: Feed): boolean => {
  if (place === 'closed' && !isIn(by, place)) return false
  return (
    privacy === 'public' || by === author || isIn(by, place) || (place === 'nowhere' && follows(state, by, author)?.status === 'active')
  )
}

export const sees = (state: State, by: number, feed: Feed): boolean =>
  inReach(state, by, feed) && (feed.status === 'published' || feed.by === by)

/** Comments, reacts, votes. */
export const takesPart = (state: State, by: number, feed: Feed): boolean =>
  sees(state, by, feed) && feed.status === 'published' && (feed.place === 'nowhere' || isIn(by, feed.place))

/** The feed, if somebody sees it. */
export const seenFeed = (state: State, by: number, name: string): Feed | undefined =>
  state.feeds.find((feed) => feed.name === name && sees(state, by, feed))

/** The comment with its feed, if somebody sees them. */
export const seenComment = (state: State, by: number, name: string): { comment: Comment; feed: Feed } | undefined => {
  const comment = state.comments.find((one) => one.name === name)
  const feed = comment && seenFeed(state, by, comment.feed)
  return comment && feed && { comment, feed }
}
