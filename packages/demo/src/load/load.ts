import { reserveRange, runText, type Value } from '../../../server/src/db/index.ts'
import type { BulkLoad } from '../bulk-load/index.ts'
import { renameTaken } from '../insert/free-names.ts'
import { Interrupted, type WriteLimit } from '../insert/pace.ts'
import { insertGroups, insertSpaces } from '../insert/people.ts'
import { ACTIVITY, nothingPlaced } from '../insert/placed.ts'
import { insertTopics } from '../insert/topics.ts'
import type { Plan } from '../plan.ts'
import { commentLoader, postLoader } from './content.ts'
import { countAll, recordAll } from './figures.ts'
import { loadBookmarks, loadReactions, loadVotes } from './marks.ts'
import { createMoments } from './moments.ts'
import { loadFollows, loadMembers, loadMemberships } from './people.ts'
import type { Loading, Steps } from './scene.ts'
import { startWords, type Words } from './words.ts'

export interface LoadOptions {
  readonly load: BulkLoad
  readonly plan: Plan
  /** The current time in database format. */
  readonly now: string
  readonly signal: AbortSignal
  /** Called with the number of further rows or indexes that are done. */
  readonly onProgress: (what: string, more: number) => void
  readonly further: Further
}

/** Work in addition to the plan. */
export interface Further {
  readonly what: string
  readonly steps: (members: readonly number[]) => Steps
  /** Activities to insert after the steps. */
  readonly activities: readonly (readonly Value[])[]
}

const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

/** Tables that are complete before and after the texts of posts and comments. */
export const INDEXED = {
  early: ['user_name_tokens', 'space_members', 'followers', 'reactions', 'bookmarks', 'survey_votes'],
  late: ['comments', 'feeds', 'feed_topics', 'activities'],
}

/** Small kinds use the insert steps, each in one batch. */
const atOnce =
  ({ load, onProgress }: LoadOptions): WriteLimit =>
  async (rows, { kind, write, written }) => {
    written?.(await write(load.db, rows), rows)
    onProgress(kind, rows.length)
  }

const begin = async (options: LoadOptions): Promise<Loading> => {
  const { load, plan, now } = options
  const { db } = load
  const renaming = await renameTaken(db, plan.scene.names.usernames)
  const { members, posts, comments } = plan.counts
  const firsts = {
    users: await reserveRange(db, 'users', members),
    feeds: await reserveRange(db, 'feeds', posts),
    comments: await reserveRange(db, 'comments', comments),
  }
  const placed = { ...nothingPlaced(), users: Array.from({ length: members }, (_, i) => firsts.users + i) }
  const scene = { placed, renaming }
  const pace = atOnce(options)
  for (const list of plan.groups) await insertGroups(pace, list, scene, now)
  for (const list of plan.spaces) await insertSpaces(pace, list, scene)
  for (const list of plan.topics) await insertTopics(pace, list, scene, now)
  const slugs = await runText<{ slug: string }>(db, 'select slug from feeds', [])
  return {
    ...{ load, plan, renaming, firsts, spaces: placed.spaces, topics: placed.topics },
    moment: createMoments(),
    slugs: new Set(slugs.map(({ slug }) => slug)),
  }
}

/** All rows without texts, ordered so that tables are complete early. */
async function* wordless(loading: Loading, told: (what: string, steps: Steps) => Steps): Steps {
  yield* told('members', loadMembers(loading))
  yield* told('memberships', loadMemberships(loading))
  yield* told('follows', loadFollows(loading))
  yield* told('reactions', loadReactions(loading))
  yield* told('bookmarks', loadBookmarks(loading))
  yield* told('votes', loadVotes(loading))
  yield* told('indexes', indexOf(loading.load, INDEXED.early))
}

async function* inTurn(...all: Steps[]): Steps {
  for (const steps of all) yield* steps
}

/** Makes the indexes of tables that are full. */
export async function* indexOf(load: BulkLoad, tables: readonly string[]): Steps {
  for (const table of tables) for await (const _ of load.index(table)) yield 1
}

/** Puts a planned community into a database that holds none. What it makes is the same as `insertPlan` does, but for the points. */
export const loadPlan = async (options: LoadOptions): Promise<void> => {
  const { plan, signal, onProgress, further } = options
  const loading = await begin(options)
  const members = Array.from({ length: plan.counts.members }, (_, i) => loading.firsts.users + i)
  const goOn = async () => {
    await turn()
    if (signal.aborted) throw new Interrupted('stopped')
  }
  async function* told(what: string, steps: Steps): Steps {
    for await (const more of steps) {
      onProgress(what, more)
      yield more
    }
  }

  const doings = told(further.what, further.steps(members))
  const words = startWords(plan, loading.renaming)
  try {
    const take = { posts: postLoader(loading), comments: commentLoader(loading) }
    const left = { posts: plan.counts.posts, comments: plan.counts.comments }
    const takeOne = async (portion: NonNullable<ReturnType<Words['take']>>) => {
      if (portion.of === 'posts') await take.posts(portion.rows)
      else await take.comments(portion.rows)
      left[portion.of] -= portion.rows.length
      onProgress(portion.of, portion.rows.length)
    }
    const rest = inTurn(wordless(loading, told), ...(loading.load.isApart ? [doings] : []))
    let resting = false
    while (left.posts + left.comments > 0) {
      await goOn()
      const portion = words.take()
      if (portion) await takeOne(portion)
      else if (!resting) resting = (await rest.next()).done === true
      else await words.arrival()
    }
    for (; !resting; resting = (await rest.next()).done === true) await goOn()
  } finally {
    await words.stop()
  }

  for await (const _ of doings) await goOn()
  for await (const _ of told('activities', recordAll(loading))) await goOn()
  await loading.load.add('activities', ACTIVITY, further.activities)
  for await (const _ of told('figures', countAll(loading))) await goOn()
  for await (const _ of told('indexes', indexOf(loading.load, INDEXED.late))) await goOn()
}
