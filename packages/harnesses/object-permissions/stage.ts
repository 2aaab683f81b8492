import { DEFAULT_PERMISSIONS } from '@lyceum/contract'
import { grant, makeSpace, type Space } from '#test/fixtures.ts'
import { asFile, basic } from '#test/media.ts'
import { createWorld, type Member, type World } from '#test/world.ts'
import { ACTORS, type ActorName, type Place } from './rights.ts'
import type { Fact, Privacy } from './rules.ts'

/** The ids of a feed and of what belongs to it. */
export interface Thing extends Fact {
  readonly feed_id: number
  readonly feed_slug: string
  readonly comment_id: number
  readonly held_id: number
  readonly reaction_id: number
  readonly media_id: number
  readonly report_id: number
}

export interface ObjectStage {
  readonly world: World
  readonly authors: Readonly<Record<Privacy, Member>>
  readonly spaces: Readonly<Record<Exclude<Place, 'none'>, Space>>
  readonly things: readonly Thing[]
  /** The headers of a caller; `author` is the author of the object. */
  headersOf(actor: ActorName, profile: Privacy): Readonly<Record<string, string>>
  memberOf(actor: ActorName): Member
}

type Person = Exclude<ActorName, 'anonymous' | 'wrong password' | 'author'>

const ROLES: Partial<Readonly<Record<Person, 'admin' | 'manager' | 'moderator'>>> = {
  'global moderator': 'moderator',
  'global manager': 'manager',
  'manager here': 'manager',
  'manager elsewhere': 'manager',
  'inactive manager': 'manager',
  administrator: 'admin',
}
/** Actors without an account in the cast. */
const OUTSIDE_OF_CAST: ReadonlySet<ActorName> = new Set(['anonymous', 'wrong password', 'author'])
const PERSONS = ACTORS.filter((actor): actor is Person => !OUTSIDE_OF_CAST.has(actor))

type Cast = Readonly<Record<Person, Member>>

const makeCast = async (world: World): Promise<Cast> => {
  const cast: Partial<Record<Person, Member>> = {}
  for (const name of PERSONS) {
    const role = ROLES[name]
    cast[name] = await world.member(role ? { role } : {})
  }
  return cast as Cast
}

/** An author with one follower and one pending request: opening a profile accepts all pending requests. */
const makeAuthor = async (world: World, cast: Cast, profile: Privacy): Promise<Member> => {
  const author = await world.member()
  const { username } = author
  await author.api.profiles.update({ username, is_private: true })
  await cast.follower.api.followers.follow({ username })
  if (profile === 'private') await cast['asked to follow'].api.followers.follow({ username })
  const requests = (await author.api.followers.requests()).data
  const request = requests.find(({ follower_id }) => follower_id === cast.follower.id)
  await author.api.followers.approve({ request_id: request?.id ?? 0 })
  if (profile === 'public') await author.api.profiles.update({ username, is_private: false })
  return author
}

/** Creates a feed with everything that belongs to it, and moves it to the given status. */
const makeThing = async (author: Member, administrator: Member, space: Space | undefined, fact: Fact): Promise<Thing> => {
  const { status, privacy } = fact
  const { feeds, comments, reactions, media } = author.api
  const { data: file } = await media.upload({ file: asFile('%PDF-1.7 nothing', 'notes.pdf') })
  const survey = { question: 'Q', show_results: 'never', options: ['a', 'b'].map((slug) => ({ slug, label: slug })) }
  const meta = { survey, media_items: [{ url: file.file_url }] }
  const place = space ? { space_id: space.id } : {}
  const { id: feed_id, slug } = (await feeds.create({ message: `A ${status} question`, type: 'question', privacy, meta, ...place })).data
  const comment_id = (await comments.create({ feed_id, comment: 'A comment' })).data.id
  const held_id = (await comments.create({ feed_id, comment: 'A comment that is held' })).data.id
  await administrator.api.comments.update({ feed_id, comment_id: held_id, status: 'pending' })
  const { reaction } = (await reactions.toFeed({ feed_id, type: 'love' })).data as { reaction: { id: number } }
  const { id: report_id } = await administrator.api.moderation.report({ object_id: feed_id, object_type: 'feed', reason: 'spam' })
  if (status === 'draft') await feeds.update({ feed_id, status })
  if (status === 'scheduled') await feeds.update({ feed_id, status, scheduled_at: '2030-01-01 00:00:00' })
  if (status === 'pending' || status === 'spam') await administrator.api.feeds.update({ feed_id, status })
  if (status === 'deleted') await feeds.remove({ feed_id })
  return { ...fact, feed_id, feed_slug: slug, comment_id, held_id, reaction_id: reaction.id, media_id: file.id, report_id }
}

const arrange = async (world: World, cast: Cast, spaces: readonly Space[]): Promise<void> => {
  const elsewhere = await makeSpace(world, { privacy: 'private' })
  await grant(world, cast['manager elsewhere'], DEFAULT_PERMISSIONS.manager, [elsewhere])
  await grant(world, cast['manager here'], DEFAULT_PERMISSIONS.manager, spaces)
  await cast.administrator.api.managers.update({ user_id: cast['inactive manager'].id, status: 'inactive' })
  await world.app.write(null, async ({ db, now }) => {
    const place = { user_id: cast['banned from the space'].id, role: 'member', status: 'banned', joined_at: now, updated_at: now } as const
    for (const { id } of spaces)
      await db
        .insertInto('space_members')
        .values({ space_id: id, ...place })
        .execute()
    for (const status of ['suspended', 'banned'] as const)
      await db.updateTable('users').set({ status }).where('id', '=', cast[status].id).execute()
  })
}

/** The objects, and every actor. */
export const makeObjectStage = async (facts: readonly Fact[]): Promise<ObjectStage> => {
  const world = await createWorld()
  const cast = await makeCast(world)
  const authors = { public: await makeAuthor(world, cast, 'public'), private: await makeAuthor(world, cast, 'private') }
  const { suspended, banned, administrator } = cast
  const inside = {
    members: [authors.public, authors.private, cast['space member'], suspended, banned],
    moderators: [cast['space moderator']],
    admins: [cast['space admin']],
  }
  const spaces = {
    public: await makeSpace(world, { privacy: 'public', ...inside }),
    private: await makeSpace(world, { privacy: 'private', ...inside }),
    secret: await makeSpace(world, { privacy: 'secret', ...inside }),
  }
  const things: Thing[] = []
  for (const fact of facts)
    things.push(await makeThing(authors[fact.profile], administrator, fact.place === 'none' ? undefined : spaces[fact.place], fact))
  await arrange(world, cast, Object.values(spaces))
  await world.runPendingJobs()
  const wrong = { authorization: `Basic ${Buffer.from('member1:aaaa aaaa aaaa aaaa aaaa aaaa').toString('base64')}` }
  return {
    world,
    authors,
    spaces,
    things,
    headersOf: (actor, profile) => {
      if (actor === 'anonymous') return {}
      if (actor === 'wrong password') return wrong
      return basic(actor === 'author' ? authors[profile] : cast[actor])
    },
    memberOf: (actor) => cast[actor as Person],
  }
}
