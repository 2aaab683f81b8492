import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeSpace, type Space } from '#test/fixtures.ts'
import { type Mailbox, startMailbox } from '#test/mailbox.ts'
import { listen, type ReceivedEvent } from '#test/sse-client.ts'
import { createWorld, type Member, type World } from '#test/world.ts'

/** In every text of the space, and nowhere else. */
const WORD = 'quincewood'

let mailbox: Mailbox
let world: World
let admin: Member
let author: Member
let made = 0

beforeAll(async () => {
  mailbox = await startMailbox()
  world = await createWorld({ env: { LYCEUM_SMTP_URL: mailbox.url } })
  admin = await world.member({ role: 'admin' })
  author = await world.member({ username: 'author', displayName: 'Author' })
  await author.api.notifications.savePreferences({ username: 'me', digest_frequency: 'daily' })
})
afterAll(async () => {
  await world.close()
  await mailbox.close()
})

interface Scene {
  readonly space: Space
  /** The member who is removed. */
  readonly gone: Member
  readonly feed: { readonly id: number; readonly slug: string }
  readonly comment: number
  readonly own: number
}

/** A space in which a member has written, reacted, voted and bookmarked, and got replies. */
const makeScene = async (privacy: 'private' | 'secret'): Promise<Scene> => {
  made += 1
  const gone = await world.member({ username: `gone${made}`, displayName: 'Somebody' })
  await gone.api.notifications.savePreferences({ username: 'me', digest_frequency: 'daily' })
  const space = await makeSpace(world, { privacy, members: [author, gone], admins: [admin] })
  const survey = { question: WORD, options: ['a', 'b'].map((slug) => ({ slug, label: `${WORD} ${slug}` })) }
  const words = { title: `${WORD} ${made}`, message: `${WORD}, @${gone.username}`, space_id: space.id }
  const { data: feed } = await author.api.feeds.create({ ...words, meta: { survey } })
  const { data: own } = await gone.api.feeds.create({ message: `My ${WORD}`, space_id: space.id })
  const { data: comment } = await gone.api.comments.create({ feed_id: feed.id, comment: `I like ${WORD}` })
  const late = { status: 'scheduled' as const, scheduled_at: '2031-01-01 00:00:00' }
  await gone.api.feeds.create({ message: `Later ${WORD}`, space_id: space.id, ...late })
  await author.api.comments.create({ feed_id: feed.id, comment: `So do I like ${WORD}`, parent_id: comment.id })
  await author.api.comments.create({ feed_id: own.id, comment: `Your ${WORD}` })
  await author.api.reactions.toFeed({ feed_id: own.id, type: 'like' })
  await author.api.reactions.toComment({ feed_id: feed.id, comment_id: comment.id, type: 'love' })
  await gone.api.reactions.toFeed({ feed_id: feed.id, react_type: 'bookmark' })
  await gone.api.surveys.vote({ feed_id: feed.id, option_slug: 'a' })
  await world.runPendingJobs()
  return { space, gone, feed, comment: comment.id, own: own.id }
}

/** Lists, which omit what is no longer visible. */
const LISTS: Readonly<Record<string, (scene: Scene) => string>> = {
  notifications: () => '/notifications?per_page=100',
  'unread notifications': () => '/notifications/unread',
  'all activities': () => '/activities?per_page=100',
  'activities of the author': () => `/activities?per_page=100&context[user_id]=${author.id}`,
  'own activities': ({ gone }) => `/activities?per_page=100&context[user_id]=${gone.id}`,
  ticker: () => '/feeds/ticker',
  bookmarks: () => '/feeds/bookmarks',
  feeds: () => '/feeds?per_page=100',
  'feeds of the author': () => `/feeds?per_page=100&user_id=${author.id}`,
  'own feeds': ({ gone }) => `/feeds?user_id=${gone.id}`,
  'own scheduled feeds': ({ gone }) => `/feeds?user_id=${gone.id}&status=scheduled`,
  'scheduled posts': () => '/scheduled-posts',
  search: () => `/feeds?search=${WORD}`,
  'comments of the author': () => '/profile/author/comments?per_page=100',
  'own comments': () => '/profile/me/comments',
}

/** Single objects, which are no longer found. */
const THINGS: Readonly<Record<string, (scene: Scene) => string>> = {
  'the feed': ({ feed }) => `/feeds/${feed.id}/by-id`,
  'the feed by its slug': ({ feed }) => `/feeds/${feed.slug}/by-slug`,
  'an own feed': ({ own }) => `/feeds/${own}/by-id`,
  'its comments': ({ feed }) => `/feeds/${feed.id}/comments`,
  'an own comment': ({ comment }) => `/comments/${comment}`,
  'its reactions': ({ own }) => `/feeds/${own}/reactions`,
  'reactions to an own comment': ({ comment }) => `/comments/${comment}/reactions`,
  'who voted': ({ feed }) => `/feeds/${feed.id}/apps/survey-voters/a`,
}

const WAYS: Readonly<Record<string, (scene: Scene) => Promise<unknown>>> = {
  'has left': ({ gone, space }) => gone.api.spaceMembers.leave({ space_slug: space.slug }),
  'is removed': ({ gone, space }) => admin.api.spaceMembers.remove({ space_slug: space.slug, user_id: gone.id }),
  'is banned': ({ gone, space }) => admin.api.spaceMembers.update({ space_slug: space.slug, user_id: gone.id, status: 'banned' }),
}

const ask = async (who: Member, path: string) => {
  const answer = await who.raw('GET', path)
  return { status: answer.status, tells: answer.text.replaceAll(`search=${WORD}`, '').includes(WORD) }
}

/** Whether scheduled mail or the daily digest mentions the space. */
const mailsTell = async (who: Member) => {
  const mails = await mailbox.take(who.email)
  return mails.some(({ mail }) => [mail.subject, mail.text, mail.html].some((text) => text?.includes(WORD)))
}

/** Advances to eight o'clock of the next day, when digests are sent. */
const nextMorning = async () => {
  const day = 24 * 3600 * 1000
  const morning = (Math.floor(world.clock.now().getTime() / day) + 1) * day + 8 * 3600 * 1000
  world.clock.advance((morning - world.clock.now().getTime()) / 1000)
  await world.app.digests.run()
  await world.runPendingJobs()
}

/** Stream events about a space and its content, except the caller's own removal. */
const summaryOf = (space: Space, events: readonly ReceivedEvent[]) =>
  events.filter(
    ({ event, data }) =>
      JSON.stringify(data).includes(WORD) || (event !== 'space' && (data as { space_id?: number | null }).space_id === space.id),
  )

const statsOf = async (who: Member, username: string) => (await who.api.profiles.get({ username })).profile.stats

describe.each(['private', 'secret'] as const)('vuln-13: in a %s space', (privacy) => {
  test.each(Object.keys(WAYS))('a member who %s has no access any more', async (way) => {
    const scene = await makeScene(privacy)
    const { gone } = scene
    const missing = (await gone.raw('GET', '/feeds/987654321/by-id')).status
    for (const [name, path] of Object.entries(LISTS))
      expect({ name, ...(await ask(gone, path(scene))) }).toEqual({ name, status: 200, tells: true })
    for (const [name, path] of Object.entries(THINGS))
      expect({ name, status: (await ask(gone, path(scene))).status }).toEqual({ name, status: 200 })
    expect(await statsOf(gone, 'author')).toMatchObject({ posts_count: 1, comments_count: 2 })
    expect(await statsOf(gone, 'me')).toMatchObject({ posts_count: 1, comments_count: 1 })

    const listener = await listen(world, gone)
    const [before] = listener.received
    await author.api.comments.create({ feed_id: scene.feed.id, comment: `A further ${WORD}` })
    await world.runPendingJobs()
    expect(summaryOf(scene.space, await listener.all())).not.toEqual([])

    await (WAYS[way] as (typeof WAYS)[string])(scene)
    await world.runPendingJobs()
    await listener.all()

    for (const [name, path] of Object.entries(LISTS))
      expect({ name, ...(await ask(gone, path(scene))) }).toEqual({ name, status: 200, tells: false })
    for (const [name, path] of Object.entries(THINGS))
      expect({ name, ...(await ask(gone, path(scene))) }).toEqual({ name, status: missing, tells: false })
    for (const username of ['author', 'me']) expect(await statsOf(gone, username)).toMatchObject({ posts_count: 0, comments_count: 0 })

    // Counters do not reveal it either.
    expect(await gone.api.activities.list({ 'context[user_id]': author.id })).toMatchObject({ activities: { data: [], total: 0 } })
    expect((await gone.api.bookmarks.list()).meta.total).toBe(0)
    expect((await gone.api.feeds.list({ user_id: author.id })).feeds.total).toBe(0)
    expect((await gone.api.feeds.list({ search: WORD })).feeds.total).toBe(0)
    expect((await gone.api.profiles.comments({ username: 'author' })).comments.total).toBe(0)
    expect((await gone.api.scheduledPosts.list()).pagination.total).toBe(0)
    expect(await gone.api.notifications.unread()).toMatchObject({ notifications: [], unread_count: 0 })

    // Later activity in the space does not reach the removed member.
    await author.api.comments.create({ feed_id: scene.own, comment: `More ${WORD}` })
    await author.api.feeds.create({ message: `${WORD} again, @${gone.username}`, space_id: scene.space.id })
    await world.runPendingJobs()
    for (const [name, path] of Object.entries(LISTS))
      expect({ name, ...(await ask(gone, path(scene))) }).toEqual({ name, status: 200, tells: false })

    // Neither a new stream nor one resumed from before the removal has any of it.
    expect(summaryOf(scene.space, await listener.all())).toEqual([])
    await listener.stop()
    const resumed = await listen(world, gone, before?.id)
    expect(summaryOf(scene.space, [...resumed.received, ...(await resumed.all())])).toEqual([])
    await resumed.stop()

    // Scheduled mail is not sent, and the digest does not mention it.
    world.clock.advance(600)
    await world.runPendingJobs()
    expect({ author: await mailsTell(author), gone: await mailsTell(gone) }).toEqual({ author: true, gone: false })
    await nextMorning()
    expect({ author: await mailsTell(author), gone: await mailsTell(gone) }).toEqual({ author: true, gone: false })

    // Remaining members still see everything.
    expect((await ask(author, `/feeds?search=${WORD}`)).tells).toBe(true)
  })
})
