import { randomBytes } from 'node:crypto'
import { grant, makeSpace, type Space } from '#test/fixtures.ts'
import type { Member, World } from '#test/world.ts'
import {
  ACTORS,
  type ActorName,
  type CommentFact,
  type FeedFact,
  type FeedKind,
  isInside,
  knowsCircle,
  knowsLocation,
  LOCATIONS,
  type LocationKind,
  runsLocation,
  type SurveyResults,
  seesComment,
  seesFeed,
  seesFeedHistory,
  seesLockScreen,
  seesMembersLink,
  seesResults,
} from './rules.ts'
import { type CanaryCourse, makeCourses } from './schools.ts'

/** A unique word in one text, and who may see it where. */
export interface Secret {
  readonly token: string
  /** Its location, such as `draft in secret published`. */
  readonly of: string
  readonly sort:
    | 'feed'
    | 'comment'
    | 'space'
    | 'topic'
    | 'link'
    | 'settings'
    | 'lock screen'
    | 'vote'
    | 'membership'
    | 'address'
    | 'course'
    | 'lesson'
    | 'history'
  readonly seenBy: (actor: ActorName) => boolean
  /** Operations that may show it to them; all if none are named. */
  readonly on?: readonly string[]
  /** A person's name: member managers may find people by it. */
  readonly name?: true
}

export interface CanaryFeed extends FeedFact {
  readonly id: number
  readonly slug: string
  readonly title: string
  readonly survey?: SurveyResults
  /** An attached file. */
  readonly media?: number
}
export interface CanaryComment extends CommentFact {
  readonly id: number
  readonly feedId: number
}
export interface CanarySpace extends Space {
  readonly location: LocationKind
  readonly title: string
  /** Offered in this space only, and used by its posts. */
  readonly topic: { readonly id: number; readonly slug: string }
}

export interface Community {
  readonly people: Readonly<Record<Exclude<ActorName, 'anonymous'>, Member>>
  readonly spaces: readonly CanarySpace[]
  readonly feeds: readonly CanaryFeed[]
  readonly comments: readonly CanaryComment[]
  readonly courses: readonly CanaryCourse[]
  readonly secrets: ReadonlyMap<string, Secret>
  /** The secrets that a text contains; words of the form `TOKEN` by default. */
  readonly tokensIn?: (text: string) => Iterable<string>
  /** Search terms; the secrets by default. */
  readonly words?: readonly string[]
  /** Feeds bookmarked by everyone who could see them, including former members. */
  readonly bookmarked: ReadonlySet<number>
}

export const TOKEN = /canary[0-9a-f]{16}/g

const OPTIONS = [
  { slug: 'a', label: 'A' },
  { slug: 'b', label: 'B' },
]

/** Kinds of feeds in a location; few in those where nobody can post any more. */
const kindsIn = (location: LocationKind): readonly FeedKind[] =>
  location === 'outside' || location.endsWith(' published')
    ? ['published', 'private', 'draft', 'scheduled', 'pending', 'spam', 'expired']
    : ['published', 'private', 'draft', 'pending']

type People = Community['people']

const makePeople = async (world: World): Promise<People> => {
  const people: Partial<Record<ActorName, Member>> = {}
  for (const name of ACTORS) {
    if (name === 'anonymous') continue
    const role = ({ administrator: 'admin', globalModerator: 'moderator', elsewhere: 'manager' } as const)[name as 'elsewhere']
    people[name] = await world.member({ username: name.toLowerCase(), ...(role && { role }) })
  }
  return people as People
}

/** Builds the community. Everyone takes part while the spaces are open; then they are closed, and some members leave. */
export const makeCommunity = async (world: World): Promise<Community> => {
  const people = await makePeople(world)
  const { author, member, left, banned, administrator } = people
  const secrets = new Map<string, Secret>()
  const feeds: CanaryFeed[] = []
  const comments: CanaryComment[] = []
  const spaces: CanarySpace[] = []
  const bookmarked = new Set<number>()
  /** Done last, so that it is the newest. */
  const late: (() => Promise<unknown>)[] = []
  /** Hides objects after everyone has acted. */
  const hiding: (() => Promise<unknown>)[] = []

  const hide = (of: string, sort: Secret['sort'], seenBy: Secret['seenBy'], more: Pick<Secret, 'on' | 'name'> = {}): string => {
    const token = `canary${randomBytes(8).toString('hex')}`
    secrets.set(token, { token, of, sort, seenBy, ...more })
    return token
  }

  const makeLocation = async (location: LocationKind): Promise<CanarySpace> => {
    const title = hide(location, 'space', (actor) => knowsLocation(actor, location))
    const link = hide(`link for members of ${location}`, 'link', (actor) => seesMembersLink(actor, location))
    const off = hide(`link that is off in ${location}`, 'link', (actor) => runsLocation(actor, location))
    const kept = hide(`extension fields of ${location}`, 'settings', (actor) => runsLocation(actor, location))
    const shown = hide(`lock screen of ${location}`, 'lock screen', (actor) => seesLockScreen(actor, location))
    const covered = hide(`hidden part of the lock screen of ${location}`, 'lock screen', (actor) => runsLocation(actor, location))
    const named = hide(`topic of ${location}`, 'topic', (actor) => knowsLocation(actor, location))
    const { spaceModerator, spaceAdmin } = people
    const space = await makeSpace(world, { members: [author, member, left, banned], moderators: [spaceModerator], admins: [spaceAdmin] })
    const address = 'https://example.org/'
    await administrator.api.spaces.updateById({
      space_id: space.id,
      title,
      slug: title,
      description: `About ${title}`,
      meta_settings: { kept },
      settings: {
        links: [
          { title: link, permalink: `${address}${link}`, privacy: 'members_only' },
          { title: off, permalink: `${address}${off}`, enabled: 'no' },
        ],
      },
    })
    const lockscreen = [{ heading: shown }, { heading: covered, hidden: true }]
    await administrator.api.spaces.saveLockscreens({ space_slug: title, enabled: true, lockscreen })
    const topic = await administrator.api.adminTopics.create({ title: named, slug: named, space_ids: [space.id] })
    return { ...space, slug: title, location, title, topic }
  }

  const post = async (fact: FeedFact, space: CanarySpace | null, more: { survey?: 'never' | 'after_vote' } = {}): Promise<CanaryFeed> => {
    const { kind, location, by } = fact
    const name = `${more.survey ? `survey (${more.survey})` : kind} of ${by} in ${location}`
    const [title, text] = [hide(name, 'feed', (actor) => seesFeed(actor, fact)), hide(name, 'feed', (actor) => seesFeed(actor, fact))]
    const survey = more.survey && { question: text, options: OPTIONS, show_results: more.survey }
    const file = new File(['%PDF-1.7 nothing'], `${hide(`file of ${name}`, 'feed', (actor) => seesFeed(actor, fact))}.pdf`)
    const { data: media } = await people[by as 'author'].api.media.upload({ file })
    const { data } = await people[by as 'author'].api.feeds.create({
      title,
      // They are notified, although most of them will lose access.
      message: `The text of ${text}, dear @left, @banned, @outsider, @elsewhere and @member`,
      featured_image: `https://example.org/${text}.png`,
      meta: { note: text, media_items: [{ url: media.file_url }], ...(survey && { survey }) },
      space_id: space?.id ?? null,
      topics: space ? [space.topic.id] : [],
      status: kind === 'draft' || kind === 'scheduled' ? kind : 'published',
      ...(kind === 'scheduled' && { scheduled_at: '2031-01-01 00:00:00' }),
      ...(kind === 'expired' && { expired_at: '2026-03-10 12:30:00' }),
    })
    const feed = { ...fact, id: data.id, slug: data.slug, title, media: media.id, ...more }
    feeds.push(feed)
    return feed
  }

  const comment = async (feed: CanaryFeed, by: 'author' | 'member', status: CommentFact['status'], parent_id: number | null = null) => {
    const fact: CommentFact = { status, by, feed }
    const token = hide(`${status} comment of ${by} on ${feed.kind} in ${feed.location}`, 'comment', (actor) => seesComment(actor, fact))
    const message = { comment: `Says ${token}`, media_images: [`https://example.org/${token}.png`], meta: { note: token } }
    const { data } = await people[by].api.comments.create({ feed_id: feed.id, parent_id, ...message })
    const own = { ...fact, id: data.id, feedId: feed.id }
    comments.push(own)
    return own
  }

  const isPublished = ({ kind }: FeedFact) => kind === 'published' || kind === 'private' || kind === 'expired'

  /** A voter who is only visible in the results of one survey, and whose bookmark is visible to nobody. */
  const voteInSecret = async (feed: CanaryFeed, space: Space | null) => {
    const sees = (actor: ActorName) => seesResults(actor, feed, feed.survey ?? 'never', actor === 'member')
    const name = hide(`vote in ${feed.survey} survey in ${feed.location}`, 'vote', sees, { on: ['surveys.voters'], name: true })
    const voter = await world.member({ displayName: name })
    const location = { user_id: voter.id, space_id: space?.id ?? 0 }
    await world.app.write(null, async ({ db, now }) => {
      if (space)
        await db
          .insertInto('space_members')
          .values({ ...location, joined_at: now, updated_at: now })
          .execute()
    })
    await voter.api.surveys.vote({ feed_id: feed.id, option_slug: 'b' })
    late.push(async () => {
      await voter.api.reactions.toFeed({ feed_id: feed.id, react_type: 'bookmark' })
      await world.app.write(null, async ({ db }) => {
        await db.deleteFrom('space_members').where('user_id', '=', voter.id).execute()
      })
    })
  }

  /** Text of an author that a moderator removed, with the reason. */
  const edit = async (feed: CanaryFeed) => {
    const [was, why] = ['what was edited out', 'why it was edited'].map((what) =>
      hide(`${what} of ${feed.kind} in ${feed.location}`, 'history', (actor) => seesFeedHistory(actor, feed)),
    ) as [string, string]
    await author.api.feeds.update({ feed_id: feed.id, meta: { was } })
    await administrator.api.feeds.update({ feed_id: feed.id, meta: { was: null }, reason: why })
  }

  const furnish = async (location: LocationKind, space: CanarySpace | null) => {
    const own: CanaryFeed[] = []
    for (const kind of kindsIn(location)) own.push(await post({ kind, location, by: 'author' }, space))
    for (const feed of own.filter(({ kind }) => kind === 'published')) await edit(feed)
    if (space && location.endsWith('published')) {
      for (const by of ['left', 'banned'] as const) {
        for (const kind of ['published', 'private'] as const) own.push(await post({ kind, location, by }, space))
      }
    }
    if (kindsIn(location).includes('spam')) {
      for (const survey of ['never', 'after_vote'] as const) {
        const feed = await post({ kind: 'published', location, by: 'author' }, space, { survey })
        await voteInSecret(feed, space)
        await member.api.surveys.vote({ feed_id: feed.id, option_slug: 'a' })
        own.push(feed)
      }
    }
    for (const feed of own.filter((one) => isPublished(one) && one.by === 'author')) {
      const top = await comment(feed, 'member', 'published')
      await comment(feed, 'author', 'published', top.id)
      late.unshift(async () => {
        const held = [await comment(feed, 'author', 'pending'), await comment(feed, 'member', 'spam')]
        for (const { id, status } of held) await administrator.api.comments.update({ feed_id: feed.id, comment_id: id, status })
      })
      await member.api.reactions.toComment({ feed_id: feed.id, comment_id: top.id, type: 'wow' })
    }
    for (const feed of own.filter(({ kind, by }) => (kind === 'published' || kind === 'private') && by === 'author')) {
      for (const who of [member, left, banned]) {
        await who.api.reactions.toFeed({ feed_id: feed.id, react_type: 'bookmark' })
        await who.api.reactions.toFeed({ feed_id: feed.id, type: 'like' })
      }
      await member.api.moderation.report({ object_id: feed.id, object_type: 'feed', reason: 'spam' })
      bookmarked.add(feed.id)
    }
    hiding.push(async () => {
      for (const { id, kind, by } of own) {
        if (kind === 'pending' || kind === 'spam') await administrator.api.feeds.update({ feed_id: id, status: kind })
        if (kind !== 'private') continue
        await people[by as 'author'].api.feeds.update({ feed_id: id, privacy: 'private' })
        if (by === 'author') await administrator.api.feeds.update({ feed_id: id, is_sticky: true })
      }
    })
    if (!space) return
    const joiner = await world.member({
      displayName: hide(`who joined ${location}`, 'membership', (actor) => isInside(actor, location), { name: true }),
    })
    await joiner.api.spaceMembers.join({ space_slug: space.slug })
  }

  const close = async ({ id, slug, location }: CanarySpace) => {
    const [privacy, status] = location.split(' ') as ['public', 'draft']
    for (const who of [left, banned]) {
      if (who === left) await left.api.spaceMembers.leave({ space_slug: slug })
      else await administrator.api.spaceMembers.ban({ space_slug: slug, user_id: banned.id })
    }
    const displayName = hide(`who waits for ${location}`, 'membership', (actor) => runsLocation(actor, location), { name: true })
    for (const who of [people.pending, await world.member({ displayName })]) {
      await administrator.api.spaceMembers.add({ space_slug: slug, user_id: who.id, status: 'pending' })
    }
    await administrator.api.spaces.updateById({ space_id: id, privacy, status })
  }

  const circle = hide('who follows the author', 'membership', knowsCircle, { name: true })
  for (const who of [people.follower, await world.member({ displayName: circle })]) await who.api.followers.follow({ username: 'author' })
  await world.app.write(null, async ({ db }) => {
    await db.updateTable('users').set({ is_private: 1 }).where('id', '=', author.id).execute()
  })
  await people.pending.api.followers.follow({ username: 'author' })

  for (const location of LOCATIONS) {
    const space = location === 'outside' ? null : await makeLocation(location)
    await furnish(location, space)
    if (space) spaces.push(space)
  }
  const schools = await makeCourses(world, people, hide)
  for (const [name, who] of Object.entries(people)) {
    const email = hide(`address of ${name}`, 'address', (actor) => actor === name || actor === 'administrator')
    await world.app.write(null, ({ db }) =>
      db
        .updateTable('users')
        .set({ email: `${email}@example.net` })
        .where('id', '=', who.id)
        .execute(),
    )
  }
  await world.runPendingJobs()
  for (const act of [...late, ...hiding]) await act()
  await world.runPendingJobs()
  for (const space of spaces) await close(space)
  await schools.close()
  const own = await makeSpace(world, { members: [people.elsewhere] })
  await grant(
    world,
    people.elsewhere,
    ['manage_feeds', 'manage_comments', 'pin_feeds', 'manage_spaces', 'manage_space_members', 'moderate_spaces', 'resolve_reports'],
    [own],
  )
  world.clock.advance(3600)
  await world.runPendingJobs()
  return { people, spaces, feeds, comments, courses: schools.courses, secrets, bookmarked }
}
