import type { Database } from '../../server/src/db/index.ts'
import { insertComments, insertPosts } from './insert/content.ts'
import { insertFollows } from './insert/follows.ts'
import { renameTaken } from './insert/free-names.ts'
import { insertBookmarks, insertReactions, insertVotes } from './insert/marks.ts'
import { createPace, Interrupted } from './insert/pace.ts'
import { insertGroups, insertMembers, insertMemberships, insertSpaces } from './insert/people.ts'
import { nothingPlaced, type Scene } from './insert/placed.ts'
import { insertTopics } from './insert/topics.ts'
import type { Plan, Rows } from './plan.ts'

export interface InsertOptions {
  readonly database: Database
  readonly plan: Plan
  /** The present in the stored form. */
  readonly now: string
  /** Whether a server works on the same data: it is left room then. */
  readonly beside: boolean
  /** Ends the work after the write that is under way. */
  readonly signal: AbortSignal
  readonly onProgress: (rows: Rows, done: number) => void
  /** How many rows of a kind are written first, before it is known how long they take. */
  readonly firstSize?: number
}

export interface Inserted {
  readonly complete: boolean
  /** Ids of the members, in the order of the plan. */
  readonly members: readonly number[]
  /** How many rows of each kind were stored, and how long that took. */
  readonly counts: Readonly<Record<Rows, number>>
  readonly milliseconds: Readonly<Partial<Record<Rows, number>>>
}

/**
 * Stores a planned community beside whatever is there. Every write leaves counts, lists, search and activities as if its rows had come
 * one by one, so that it may end, or be killed, at any moment.
 */
export const insertPlan = async ({ database, plan, now, beside, signal, onProgress, firstSize }: InsertOptions): Promise<Inserted> => {
  const counts = {
    groups: 0,
    members: 0,
    spaces: 0,
    topics: 0,
    memberships: 0,
    follows: 0,
    posts: 0,
    comments: 0,
    reactions: 0,
    bookmarks: 0,
    votes: 0,
  }
  const usernames = [...plan.members].flatMap((members) => members.map((member) => member.username))
  const scene: Scene = { placed: nothingPlaced(), renaming: await renameTaken(database.read, usernames) }
  const milliseconds: Partial<Record<Rows, number>> = {}
  const onPiece = (rows: Rows, count: number) => {
    counts[rows] += count
    onProgress(rows, counts[rows])
  }
  const pace = createPace({ database, beside, signal, onPiece, firstSize })

  const phase = async <Row>(rows: Rows, lists: Iterable<Row[]>, insert: (list: Row[]) => Promise<void>) => {
    const start = performance.now()
    for (const list of lists) await insert(list)
    milliseconds[rows] = Math.round(performance.now() - start)
  }

  try {
    await phase('groups', plan.groups, (list) => insertGroups(pace, list, scene, now))
    await phase('members', plan.members, (list) => insertMembers(pace, list, scene))
    await phase('spaces', plan.spaces, (list) => insertSpaces(pace, list, scene))
    await phase('topics', plan.topics, (list) => insertTopics(pace, list, scene, now))
    await phase('memberships', plan.memberships, (list) => insertMemberships(pace, list, scene))
    await phase('follows', plan.follows, (list) => insertFollows(pace, list, scene))
    await phase('posts', plan.posts, (list) => insertPosts(pace, list, scene))
    await phase('comments', plan.comments, (list) => insertComments(pace, list, scene))
    await phase('reactions', plan.reactions, (list) => insertReactions(pace, list, scene))
    await phase('bookmarks', plan.bookmarks, (list) => insertBookmarks(pace, list, scene))
    await phase('votes', plan.votes, (list) => insertVotes(pace, list, scene))
  } catch (error) {
    if (error instanceof Interrupted) return { complete: false, members: scene.placed.users, counts, milliseconds }
    throw error
  }
  return { complete: true, members: scene.placed.users, counts, milliseconds }
}
