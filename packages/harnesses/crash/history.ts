/** The client's knowledge of a write. `unknown`: there was no response, so it may exist or not. */
export type Fate = 'acknowledged' | 'unknown'

/** A post or comment, identified by its text. */
export interface Text {
  readonly kind: 'post' | 'comment'
  readonly text: string
  readonly author: number
  /** The feed of a comment. */
  readonly feed: number | null
  /** Its Idempotency-Key, if any. */
  readonly key: string | null
  fate: Fate
  /** The id from the response; null until there was a complete one. */
  id: number | null
}

/** The reaction of one user to one feed, toggled repeatedly by this user only. */
export interface Toggle {
  readonly user: number
  readonly feed: number
  /** Toggles that were acknowledged, or found to have happened. */
  done: number
  /** The key of an unanswered toggle, or '' without a key. */
  pending: string | null
}

export interface Bookmarked {
  readonly user: number
  readonly feed: number
  fate: Fate
}

/** An unexpected response. */
export interface Oddity {
  readonly what: string
  readonly status: number
  readonly code: unknown
}

export interface History {
  readonly texts: Text[]
  readonly toggles: Map<string, Toggle>
  readonly bookmarks: Map<string, Bookmarked>
  readonly oddities: Oddity[]
  /** While the database is killed as well, writes may be rejected as unavailable, with an unknown outcome. */
  databaseGoes: boolean
  /** Total number of acknowledged writes. */
  acknowledged: number
  /** Total number of unanswered writes. */
  unanswered: number
  /** Unanswered writes that turned out to have happened. */
  happened: number
}

export const createHistory = (): History => ({
  texts: [],
  toggles: new Map(),
  bookmarks: new Map(),
  oddities: [],
  databaseGoes: false,
  acknowledged: 0,
  unanswered: 0,
  happened: 0,
})

export const pair = (user: number, feed: number) => `${user} ${feed}`
