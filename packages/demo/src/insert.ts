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
  /** The current time in database format. */
  readonly now: string
  /** Whether a server is running, so that writes leave gaps for it. */
  readonly beside: boolean
  /** Stops after the current transaction. */
  readonly signal: AbortSignal
  readonly onProgress: (rows: Rows, done: number) => void
  /** Rows in the first transaction of a kind, before its duration is known. */
  readonly firstSize?: number
}

export interface Inserted {
  readonly complete: boolean
  /** Ids of the members, in the order of the plan. */
  readonly members: readonly number[]
  /** Rows stored per kind, and the time it took. */
  readonly counts: Readonly<Record<Rows, number>>
  readonly milliseconds: Readonly<Partial<Record<Rows, number>>>
}

/**
 * Stores a plan in addition to existing data. Each transaction leaves counters, lists, search and activities consistent, so the process may
 * stop or be killed at any time.
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
