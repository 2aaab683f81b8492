/** What a client knows of something it wrote. `unknown`: no answer came, so it may be there or not. */
export type Fate = 'acknowledged' | 'unknown'

/** A post or a comment, known again by its text. */
export interface Text {
  readonly kind: 'post' | 'comment'
  readonly text: string
  readonly author: number
  /** The feed that a comment belongs to. */
  readonly feed: number | null
  /** Its Idempotency-Key, where it was sent with one. */
  readonly key: string | null
  fate: Fate
  /** As the answer said; null until one came whole. */
  id: number | null
}

/** The reaction of one person to one feed, toggled again and again by that person alone. */
export interface Toggle {
  readonly user: number
  readonly feed: number
  /** Toggles that were acknowledged, or found to have happened. */
  done: number
  /** Set while one of them has no answer: the key it was sent with, or '' without one. */
  pending: string | null
}

export interface Bookmarked {
  readonly user: number
  readonly feed: number
  fate: Fate
}

/** An answer that nobody expects of a sound server. */
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
  /** While the database is being killed too, a write may be refused as unavailable; nobody knows then either what became of it. */
  databaseGoes: boolean
  /** Writes that were acknowledged, in all. */
  acknowledged: number
  /** Writes without an answer, in all. */
  unanswered: number
  /** Unanswered ones that proved to have happened, once they were asked for again. */
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
