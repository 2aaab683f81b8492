import type { Answer } from './answer.ts'
import { pointsOf, unreadOf } from './consequences.ts'
import type { Operation } from './operations.ts'
import { ADMIN, type Feed, follows, OPTIONS, PASSING, type State, seenComment, seenFeed, sees } from './state.ts'

type Doing<K extends Operation['kind']> = Extract<Operation, { readonly kind: K }>
type Kinds = Extract<Operation['kind'], `see${string}`>
type Readings = { readonly [K in Kinds]: (state: State, operation: Doing<K>) => Answer }

const NEWEST_COMMENTS = 2
const NEWEST_REACTIONS = 3

const ok = (body: unknown): Answer => ({ status: 200, body })
const missing = (code: string): Answer => ({ status: 404, code })

const surveyOf = (state: State, by: number, { name, survey }: Feed) => {
  if (survey === 'none') return null
  const votes = state.votes.filter((one) => one.feed === name)
  const counts = OPTIONS.map((option) => votes.filter(({ options }) => options.includes(option)).length)
  const mine = votes.find((one) => one.by === by)?.options ?? []
  return { total: votes.length, counts, mine: OPTIONS.filter((option) => mine.includes(option)) }
}

/** A feed as a person sees it, with their reactions and bookmarks. */
const shown = (state: State, by: number, feed: Feed) => {
  const { name } = feed
  const comments = state.comments.filter((one) => one.feed === name)
  const reactions = state.reactions.filter((one) => one.feed === name && one.comment === null)
  return {
    name,
    by: feed.by,
    place: feed.place,
    privacy: feed.privacy,
    status: feed.status,
    text: feed.text,
    comments_count: comments.length,
    reactions_count: reactions.length,
    has_user_react: reactions.find((one) => one.by === by)?.type ?? null,
    bookmarked: state.bookmarks.some((one) => one.by === by && one.feed === name),
    survey: surveyOf(state, by, feed),
    comments: comments
      .slice(-NEWEST_COMMENTS)
      .reverse()
      .map((one) => one.name),
    reactions: reactions
      .slice(-NEWEST_REACTIONS)
      .reverse()
      .map(({ by: who, type }) => [who, type]),
  }
}

const newestFirst = (feeds: readonly Feed[]) => feeds.toSorted((a, b) => b.published - a.published || b.serial - a.serial)

const listed = (state: State, by: number, holds: (feed: Feed) => boolean): Answer => {
  const found = state.feeds.filter((feed) => feed.status === 'published' && holds(feed) && sees(state, by, feed))
  return ok({ total: found.length, data: newestFirst(found).map((feed) => shown(state, by, feed)) })
}

/** The expected result of each read. */
export const readings: Readings = {
  see: (state, { by, feed: name }) => {
    const feed = seenFeed(state, by, name)
    return feed ? ok(shown(state, by, feed)) : missing('feed_not_found')
  },
  seeComments: (state, { by, feed: name }) => {
    if (!seenFeed(state, by, name)) return missing('feed_not_found')
    const reactionsTo = (comment: string) => state.reactions.filter((one) => one.comment === comment)
    return ok(
      state.comments
        .filter(({ feed }) => feed === name)
        .map(({ name: comment, by: who, parent, text }) => ({
          name: comment,
          by: who,
          parent,
          text,
          reactions_count: reactionsTo(comment).length,
          has_user_react: reactionsTo(comment).find((one) => one.by === by)?.type ?? null,
        })),
    )
  },
  seeReactions: (state, { by, feed, comment }) => {
    const found = comment === null ? seenFeed(state, by, feed) : seenComment(state, by, comment)
    if (!found) return missing('content_not_found')
    const under = state.reactions.filter((one) => one.comment === comment && (comment !== null || one.feed === feed))
    return ok({ total: under.length, data: under.toReversed().map(({ by: who, type }) => [who, type]) })
  },
  seePlace: (state, { by, place }) => listed(state, by, (feed) => feed.place === place),
  seePosts: (state, { by, of }) => listed(state, by, (feed) => feed.by === of),
  seeBookmarks: (state, { by }) => {
    const seen = state.bookmarks.filter(
      (one) => one.by === by && state.feeds.some((feed) => feed.name === one.feed && feed.status === 'published' && sees(state, by, feed)),
    )
    return ok({ total: seen.length, data: seen.toReversed().map(({ feed }) => feed) })
  },
  seeFollowers: (state, { by, of }) => {
    const open = !state.closed[of] || by === of || by === ADMIN || follows(state, by, of)?.status === 'active'
    if (!open) return { status: 403, code: 'rest_forbidden' }
    const found = state.follows.filter(({ to, status }) => to === of && status === 'active')
    return ok({ total: found.length, data: found.toReversed().map(({ from }) => from) })
  },
  seeFollow: (state, { by, of }) => {
    const mine = follows(state, by, of)
    return ok({ status: mine?.status ?? '', is_followed_by: follows(state, of, by)?.status === 'active' })
  },
  seeRequests: (state, { by }) => {
    const found = state.follows.filter(({ to, status }) => to === by && status === 'pending')
    return ok({ total: found.length, data: found.toReversed().map(({ from }) => from) })
  },
  seeResult: (state, { by }) => {
    const handedIn = state.attempts.filter((one) => one.by === by && one.score !== null)
    const last = handedIn.at(-1)
    if (!last) return missing('quiz_not_found')
    return ok({ attempt_number: last.number, score: last.score, passed: (last.score ?? 0) >= PASSING, attempts_used: handedIn.length })
  },
  seeStanding: (state, { by }) => {
    const active = state.follows.filter(({ status }) => status === 'active')
    return ok({
      points: pointsOf(state, by),
      unread: unreadOf(state, by),
      followers: active.filter(({ to }) => to === by).length,
      followings: active.filter(({ from }) => from === by).length,
    })
  },
}
