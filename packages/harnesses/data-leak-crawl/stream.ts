import type { EventName, EventPayload } from '@lyceum/contract'
import { listen, type ReceivedEvent } from '#test/sse-client.ts'
import type { World } from '#test/world.ts'
import { type Community, TOKEN } from './community.ts'
import type { Fault } from './crawl.ts'
import { ACTORS, type ActorName, knowsLocation, seesComment, seesFeed } from './rules.ts'

type Person = Exclude<ActorName, 'anonymous'>

const AT_ONCE = 50

/** Emits every kind of event about this community once more. */
function* everythingHappens({ feeds, comments, spaces, people }: Community): Generator<[EventName, object]> {
  const author = people.author.id
  for (const { id: space_id } of spaces)
    for (const name of ['space.created', 'space.updated', 'space.deleted'] as const) yield [name, { space_id }]
  for (const { id: feed_id } of feeds) {
    for (const name of ['feed.published', 'feed.updated', 'feed.pinned', 'feed.hidden'] as const) yield [name, { feed_id }]
    yield ['reaction.added', { reaction_id: 1, user_id: author, feed_id } satisfies EventPayload<'reaction.added'>]
    for (const { id: user_id } of Object.values(people)) yield ['bookmark.added', { bookmark_id: 1, user_id, feed_id }]
  }
  for (const { id: comment_id, feedId: feed_id } of comments) {
    for (const name of ['comment.published', 'comment.updated'] as const) yield [name, { comment_id, feed_id }]
    yield ['reaction.added', { reaction_id: 1, user_id: author, feed_id, comment_id }]
    yield ['comment.deleted', { comment_id, feed_id, user_id: author }]
  }
}

/** Why a stream event violates the rules of `as`; null if it does not. */
const wrongWith = (community: Community, as: ActorName, heard: ReceivedEvent): string | null => {
  for (const token of new Set(JSON.stringify(heard.data).match(TOKEN) ?? [])) {
    const secret = community.secrets.get(token)
    if (secret && !secret.seenBy(as)) return `tells ${secret.of}`
  }
  const { event, data } = heard
  if (event !== 'feed' && event !== 'comment' && event !== 'reaction' && event !== 'bookmark' && event !== 'space') return null
  if (event === 'space') {
    const space = community.spaces.find(({ id }) => id === data.space_id)
    // Deletions of spaces are announced only to those who certainly knew them.
    return data.action === 'deleted' || (space && !knowsLocation(as, space.location)) ? `tells of the space ${space?.location}` : null
  }
  const feed = community.feeds.find(({ id }) => id === data.feed_id)
  if (!feed) return null
  const hidden = 'action' in data && data.action === 'hidden'
  // A hidden feed counts as one that the actor would see if it were published.
  const shown =
    event === 'feed' && hidden ? { ...feed, kind: feed.kind === 'private' ? ('private' as const) : ('published' as const) } : feed
  if (!seesFeed(as, shown)) return `tells of the ${feed.kind} feed of ${feed.by} in ${feed.location}`
  const comment = 'comment_id' in data && data.comment_id ? community.comments.find(({ id }) => id === data.comment_id) : undefined
  if (!comment || (event === 'comment' && hidden)) return null
  if (event === 'comment' && data.action === 'deleted') return as === 'author' ? null : 'tells of a deleted comment'
  return seesComment(as, comment) ? null : `tells of the ${comment.status} comment of ${comment.by}`
}

/** Subscribes all actors while every event is emitted again, and checks that each gets everything they may see, and nothing else. */
export const listenToAll = async (world: World, community: Community, pretend: (actor: ActorName) => ActorName = (same) => same) => {
  const names = ACTORS.filter((actor): actor is Person => actor !== 'anonymous')
  const listeners = await Promise.all(names.map((name) => listen(world, community.people[name])))
  const notifications = await world.app.services.database.read.selectFrom('notifications').select(['id', 'user_id']).execute()
  const all = [
    ...everythingHappens(community),
    ...notifications.map(({ id, user_id }): [EventName, object] => ['notification.created', { notification_id: id, user_id }]),
  ]
  for (let at = 0; at < all.length; at += AT_ONCE) {
    await world.app.write(null, async (ctx) => {
      for (const [name, payload] of all.slice(at, at + AT_ONCE)) await ctx.emit(name, payload as never)
    })
  }
  // The listeners would change the data.
  await world.app.write(null, ({ db }) => db.deleteFrom('pending_events').execute())
  const faults: Fault[] = []
  let events = 0
  for (const [i, name] of names.entries()) {
    const listener = listeners[i]
    const heard = (await listener?.all()) ?? []
    await listener?.stop()
    events += heard.length
    const as = pretend(name)
    for (const one of heard) {
      const what = wrongWith(community, as, one)
      if (what) faults.push({ actor: name, request: `${one.event} on /stream`, what })
    }
    const told = new Set(heard.flatMap(({ event, data }) => (event === 'feed' && data.action !== 'hidden' ? data.feed_id : [])))
    for (const feed of community.feeds.filter((one) => seesFeed(as, one) && !told.has(one.id)))
      faults.push({ actor: name, request: '/stream', what: `is silent about the ${feed.kind} feed of ${feed.by} in ${feed.location}` })
    const comments = new Set(
      heard.flatMap(({ event, data }) => (event === 'comment' && data.action === 'published' ? data.comment_id : [])),
    )
    for (const comment of community.comments.filter((one) => seesComment(as, one) && !comments.has(one.id)))
      faults.push({ actor: name, request: '/stream', what: `is silent about the ${comment.status} comment of ${comment.by}` })
  }
  return { faults, events }
}
