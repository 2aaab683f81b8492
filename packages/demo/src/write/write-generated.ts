import { reserveRange } from '../../../server/src/db/index.ts'
import type { GeneratedCommunity } from '../generator.ts'
import { commentWriter, postWriter } from './content.ts'
import { renameTaken } from './free-names.ts'
import { writeBookmarks, writeReactions, writeVotes } from './interactions.ts'
import { writeFollows, writeGroups, writeMembers, writeMemberships, writeSpaces } from './people.ts'
import type { Steps, Target } from './target.ts'
import { writeTopics } from './topics.ts'
import { startWords, type Words } from './words.ts'
import type { Writer } from './writer.ts'

export interface WriteOptions {
  readonly generated: GeneratedCommunity
  readonly writer: Writer
  /** The current time in database format. */
  readonly now: string
  /** Called between two steps; throws to stop. */
  readonly goOn: () => Promise<void>
  /** Work to do once everything but the texts is written. */
  readonly meanwhile?: Steps
}

async function* chain(...all: Steps[]): Steps {
  for (const steps of all) yield* steps
}

/** Writes posts and comments as another thread finishes their words, and runs other steps while it waits. */
const writeTexts = async (words: Words, target: Target, goOn: () => Promise<void>, meanwhile: Steps): Promise<void> => {
  const { generated, writer } = target
  // No other process adds slugs to the empty database of a load.
  const writePosts = postWriter(target, writer.isOneTransaction ? new Set() : undefined)
  const writeComments = commentWriter(target)
  let isIdle = false
  for (let left = generated.counts.posts + generated.counts.comments; left > 0; ) {
    await goOn()
    const portion = words.take()
    if (portion) {
      if (portion.of === 'posts') await writePosts(portion.rows)
      else await writeComments(portion.rows)
      left -= portion.rows.length
    } else if (!isIdle) isIdle = (await meanwhile.next()).done === true
    else await words.arrival()
  }
  for await (const _ of meanwhile) await goOn()
}

/**
 * Stores generated data in addition to existing data and returns the ids of the members. In one transaction, rows may come in any order, so the
 * texts, which take longest, are stored as they come.
 */
export const writeGenerated = async ({ generated, writer, now, goOn, meanwhile = chain() }: WriteOptions): Promise<readonly number[]> => {
  const reserve = (table: string, count: number) => writer.transaction((db) => reserveRange(db, table, count))
  const renaming = await renameTaken(writer.read, generated.scene.names.usernames)
  const { members, posts, comments } = generated.counts
  const firsts = {
    users: await reserve('users', members),
    feeds: await reserve('feeds', posts),
    comments: await reserve('comments', comments),
  }
  const target: Target = { generated, writer, renaming, firsts, groups: [], spaces: [], topics: [] }
  const run = async (...steps: Steps[]) => {
    for await (const _ of chain(...steps)) await goOn()
  }
  const words = startWords(generated, renaming)
  try {
    await run(writeGroups(target, now), writeMembers(target), writeSpaces(target), writeTopics(target, now))
    const relations = chain(writeMemberships(target), writeFollows(target))
    const interactions = chain(writeReactions(target), writeBookmarks(target), writeVotes(target), meanwhile)
    if (writer.isOneTransaction) await writeTexts(words, target, goOn, chain(relations, interactions))
    else {
      await run(relations)
      await writeTexts(words, target, goOn, chain())
      await run(interactions)
    }
  } finally {
    await words.stop()
  }
  return Array.from({ length: members }, (_, i) => firsts.users + i)
}
