import { expect } from 'vitest'
import { grant, makeSpace, type Space } from '#test/fixtures.ts'
import { everything } from '#test/tables.ts'
import type { Member, RawAnswer, World } from '#test/world.ts'

/** An id that no object ever has. */
export const NO_ID = 987_654_321

export const SURVEY = {
  question: 'Which one?',
  options: [
    { slug: 'a', label: 'A' },
    { slug: 'b', label: 'B' },
  ],
}

/**
 * An attacking member, their victims, and spaces they are not in. The attacker has asked to follow the victim, whose profile is private,
 * and the victim follows the attacker.
 */
export interface Stage {
  readonly attacker: Member
  readonly victim: Member
  readonly moderator: Member
  readonly admin: Member
  /** The attacker is in the open space only; the victim is a member and the moderator a moderator of all of them. */
  readonly open: Space
  readonly closed: Space
  readonly secret: Space
}

export const makeStage = async (world: World): Promise<Stage> => {
  const [attacker, victim, moderator] = [await world.member(), await world.member(), await world.member()]
  const people = { members: [victim], moderators: [moderator] }
  await world.app.write(null, async ({ db }) => {
    await db.updateTable('users').set({ is_private: 1 }).where('id', '=', victim.id).execute()
  })
  await attacker.api.followers.follow({ username: victim.username })
  await victim.api.followers.follow({ username: attacker.username })
  return {
    attacker,
    victim,
    moderator,
    admin: await world.member({ role: 'admin' }),
    open: await makeSpace(world, { ...people, members: [victim, attacker] }),
    closed: await makeSpace(world, { ...people, privacy: 'private' }),
    secret: await makeSpace(world, { ...people, privacy: 'secret' }),
  }
}

export interface Content {
  readonly kind: string
  readonly feed_id: number
  readonly slug: string
  readonly comment_id: number
  readonly reaction_id: number
}

/** A feed of the victim with a survey, a vote, a comment and a reaction, updated with `after` at the end. */
const contentOf = async ({ victim, admin }: Stage, kind: string, body: object, after?: { by: 'victim' | 'admin'; body: object }) => {
  const { data } = await victim.api.feeds.create({ message: `About ${kind}`, meta: { survey: SURVEY }, ...body })
  const feed_id = data.id
  const comment_id = (await victim.api.comments.create({ feed_id, comment: `On ${kind}` })).data.id
  const reacted = await victim.api.reactions.toFeed({ feed_id, type: 'like' })
  await victim.api.surveys.vote({ feed_id, option_slug: 'a' })
  if (after) await (after.by === 'victim' ? victim : admin).api.feeds.update({ feed_id, ...after.body })
  return { kind, feed_id, slug: data.slug, comment_id, reaction_id: reacted.data.reaction?.id ?? 0 }
}

/** Every kind of feed that is hidden from the attacker. */
export const hiddenContent = async (stage: Stage): Promise<Content[]> => {
  const { open, closed, secret } = stage
  const space_id = open.id
  const later = { by: 'victim', body: { status: 'scheduled', scheduled_at: '2030-01-01 00:00:00' } } as const
  return [
    await contentOf(stage, 'in a private space', { space_id: closed.id }),
    await contentOf(stage, 'in a secret space', { space_id: secret.id }),
    await contentOf(stage, 'private outside of spaces', { privacy: 'private' }),
    await contentOf(stage, 'a draft', { space_id }, { by: 'victim', body: { status: 'draft' } }),
    await contentOf(stage, 'a draft outside of spaces', {}, { by: 'victim', body: { status: 'draft' } }),
    await contentOf(stage, 'for later', { space_id }, later),
    await contentOf(stage, 'held', { space_id }, { by: 'admin', body: { status: 'pending' } }),
    await contentOf(stage, 'spam', {}, { by: 'admin', body: { status: 'spam' } }),
  ]
}

/** A feed visible to everyone. */
export const openContent = (stage: Stage, body: object = {}): Promise<Content> =>
  contentOf(stage, 'in sight', { space_id: stage.open.id, ...body })

/** Checks that the response equals that for a missing object, in status and body. */
export const expectMissing = (answer: RawAnswer, missing: RawAnswer, why: string): void => {
  expect([answer.status, answer.text], why).toEqual([missing.status, missing.text])
  expect(missing.status, why).toBe(404)
}

/** All stored rows. The leaderboard records on the first read which days it has summed up, derived from other rows. */
const stored = async (world: World) => {
  const tables = new Map(await everything(world))
  tables.delete('score_periods')
  return tables
}

/** Runs `work` and checks that no stored value changed and no row was added or removed. */
export const expectNoEffect = async (world: World, work: () => Promise<unknown>): Promise<void> => {
  // Last-seen times are written periodically, independent of requests.
  await world.app.presence.stop()
  const before = await stored(world)
  await work()
  expect(await stored(world)).toEqual(before)
}

/** A person whose manager record has these permissions in these spaces only. */
export const scopedManager = async (world: World, permissions: Parameters<typeof grant>[2], spaces?: readonly Space[]): Promise<Member> => {
  const who = await world.member({ role: 'manager' })
  await grant(world, who, permissions, spaces)
  return who
}
