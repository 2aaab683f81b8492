import { expect } from 'vitest'
import { runChecks } from '../src/cli/doctor/run-checks.ts'
import { nowOf } from '../src/core/clock.ts'
import { makeSchool, type School } from './course-fixtures.ts'
import { makeSpace, type Space } from './fixtures.ts'
import { upload } from './media.ts'
import { PASSWORD } from './session.ts'
import { everything } from './tables.ts'
import type { Member, World } from './world.ts'

/** Sets a member's account password to PASSWORD. */
export const givePassword = async (world: World, { id }: Pick<Member, 'id'>): Promise<void> => {
  const { database, passwords } = world.app.services
  const password_hash = await passwords.hashPassword(PASSWORD)
  await database.write((db) => db.updateTable('users').set({ password_hash }).where('id', '=', id).execute())
}

export interface Life {
  readonly member: Member
  readonly other: Member
  readonly space: Space
  readonly school: School
  /** Content by the member that others can see. */
  readonly feed: { readonly id: number; readonly slug: string }
  readonly comment: number
  /** A feed by another member, with the member's comment, reaction, vote and bookmark. */
  readonly others: { readonly id: number }
  /** Another member's reply to the member's comment, and comment on their feed. */
  readonly reply: number
  readonly media: number
}

let made = 0

/** What an import stores of an account. */
const imported = ({ app }: World, { id }: Member, word: string) =>
  app.services.database.write(async (db) => {
    await db
      .insertInto('username_aliases')
      .values({ alias: `${word}_before`, user_id: id })
      .execute()
    await db
      .insertInto('redirects')
      .values({ path: `/people/${word}`, source: 'csv', user_id: id })
      .execute()
    const row = { source: 'csv', foreign_id: `${word}@example.org`, local_id: id, hash: 'x', fingerprint: 'x' }
    for (const kind of ['people', 'names'])
      await db
        .insertInto('import_map')
        .values({ ...row, kind })
        .execute()
  })

/** A member with data of every kind; `word` is in every field that a member can write. */
export const makeLife = async (world: World, admin: Member, word: string): Promise<Life> => {
  made += 1
  const other = await world.member({ username: `other${made}` })
  const member = await world.member({ username: `${word}-name`, displayName: `${word} Somebody` })
  await givePassword(world, member)
  const space = await makeSpace(world, { members: [other] })
  await member.api.spaceMembers.join({ space_slug: space.slug })

  const avatar = await upload(member, undefined, `${word}-avatar.png`)
  const links = { twitter: `https://x.example/${word}` }
  await member.api.profiles.update({
    username: 'me',
    first_name: word,
    last_name: word,
    bio: `I am ${word}`,
    location: word,
    website: `https://${word}.example`,
    avatar: avatar.file_url,
    social_links: links,
  })
  await member.api.notifications.savePreferences({ username: 'me', digest_frequency: 'daily' })
  await member.api.account.createApplicationPassword({ name: word })

  const survey = { question: 'Which?', options: ['a', 'b'].map((slug) => ({ slug, label: slug })) }
  const { data: others } = await other.api.feeds.create({ message: 'Choose', space_id: space.id, meta: { survey } })
  await member.api.surveys.vote({ feed_id: others.id, option_slug: 'a' })
  await other.api.surveys.vote({ feed_id: others.id, option_slug: 'a' })
  await member.api.reactions.toFeed({ feed_id: others.id, type: 'love' })
  await member.api.reactions.toFeed({ feed_id: others.id, react_type: 'bookmark' })

  const picture = await upload(member, undefined, `${word}.png`)
  const { data: feed } = await member.api.feeds.create({
    title: `${word} title`,
    message: `About ${word} ![](${picture.file_url})`,
    content_type: 'markdown',
    space_id: space.id,
  })
  await upload(member, undefined, `${word}-loose.png`)
  await member.api.feeds.create({ message: `Draft ${word}`, status: 'draft' })
  await member.api.feeds.create({ message: `Later ${word}`, status: 'scheduled', scheduled_at: '2031-01-01 00:00:00' })
  await member.api.feeds.create({ message: `Private ${word}`, privacy: 'private' })
  const { data: comment } = await member.api.comments.create({ feed_id: others.id, comment: `I say ${word}` })
  const { data: reply } = await other.api.comments.create({ feed_id: others.id, comment: 'A reply', parent_id: comment.id })
  await member.api.reactions.toComment({ feed_id: others.id, comment_id: reply.id, type: 'like' })
  await other.api.comments.create({ feed_id: feed.id, comment: 'On yours' })
  await other.api.reactions.toFeed({ feed_id: feed.id, type: 'like' })
  await other.api.reactions.toComment({ feed_id: others.id, comment_id: comment.id, type: 'like' })

  await member.api.followers.follow({ username: other.username })
  await other.api.followers.follow({ username: member.username })
  await member.api.moderation.report({ object_type: 'feed', object_id: others.id, reason: 'other', description: `Because ${word}` })
  await other.api.moderation.report({ object_type: 'feed', object_id: feed.id, reason: 'spam' })
  await other.api.moderation.report({ object_type: 'user', object_id: member.id, reason: 'spam' })

  const school = await makeSchool(admin, { students: [member] })
  const lesson_id = school.lessons[0] as number
  await member.raw('POST', `/courses/${school.courseId}/lessons/${lesson_id}/complete`)
  await imported(world, member, word)
  await member.api.privacy.requestExport()
  await world.runPendingJobs()
  return { member, other, space, school, feed, comment: comment.id, others, reply: reply.id, media: picture.id }
}

/** Runs all jobs and cleanup after a deletion, including those scheduled for later. */
export const runErasure = async (world: World): Promise<void> => {
  await world.runPendingJobs()
  world.clock.advance(601)
  await world.runPendingJobs()
  world.clock.advance(3 * 3600)
  await world.app.maintenance.run()
  await world.runPendingJobs()
}

/** Asserts that `lyceum doctor` finds no problem. */
export const expectSound = async (world: World): Promise<void> => {
  const { database, clock, storage } = world.app.services
  const { violations } = await runChecks(database, { now: nowOf(clock), sample: 10_000, storage })
  expect(violations).toEqual([])
}

/** Stored files without a row. */
export const strayFiles = async (world: World): Promise<string[]> => {
  const { database, storage } = world.app.services
  const rows = await database.read.selectFrom('media').select(['path', 'thumbnail_path']).execute()
  const known = new Set(rows.flatMap(({ path, thumbnail_path }) => [path, thumbnail_path]))
  const strays: string[] = []
  for (let shard = 0; shard < 256; shard++)
    for await (const { path } of storage.current.list(shard.toString(16).padStart(2, '0'))) if (!known.has(path)) strays.push(path)
  return strays
}

/** Where a word is still stored: tables and ids of rows. */
export const whereIs = async (world: World, word: string): Promise<string[]> => {
  const found: string[] = []
  for (const [table, rows] of await everything(world))
    for (const row of rows)
      if (JSON.stringify(row).toLowerCase().includes(word)) found.push(`${table} ${String(row['id'] ?? JSON.stringify(row))}`)
  return found
}
