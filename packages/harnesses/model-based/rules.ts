import { type Answer, done, refused, without } from './answer.ts'
import { addEvent, unreadOf } from './consequences.ts'
import type { Change, Operation } from './operations.ts'
import { peopleRules } from './people.ts'
import { readings } from './readings.ts'
import { ADMIN, type Feed, mayPost, OPTIONS, type State, seenComment, seenFeed, takesPart } from './state.ts'

type Doing<K extends Operation['kind']> = Extract<Operation, { readonly kind: K }>
type Rules = { readonly [K in Operation['kind']]: (state: State, operation: Doing<K>) => Answer }

const FORBIDDEN = refused(403, 'rest_forbidden')

/** Removes everything that depends on deleted objects. */
const sweep = (state: State) => {
  const feeds = new Set(state.feeds.map(({ name }) => name))
  state.comments = without(state.comments, ({ feed }) => !feeds.has(feed))
  const comments = new Set(state.comments.map(({ name }) => name))
  state.reactions = without(state.reactions, ({ feed, comment }) => !feeds.has(feed) || (comment !== null && !comments.has(comment)))
  state.bookmarks = without(state.bookmarks, ({ feed }) => !feeds.has(feed))
  state.votes = without(state.votes, ({ feed }) => !feeds.has(feed))
}

const edit = (state: State, by: number, feed: Feed, change: Change): Answer => {
  const own = feed.by === by
  if (!own && by !== ADMIN) return FORBIDDEN
  if ('text' in change) {
    feed.text = change.text
    if (!own) addEvent(state, { kind: 'edited', to: feed.by, by, feed: feed.name, comment: null, text: change.text })
  }
  if ('locked' in change) feed.locked = change.locked
  if ('privacy' in change) {
    if (change.privacy !== feed.privacy && !own) return FORBIDDEN
    feed.privacy = change.privacy
  }
  if ('place' in change) {
    if (change.place !== feed.place && !mayPost(by, change.place)) return FORBIDDEN
    feed.place = change.place
  }
  if ('status' in change) {
    if (change.status === 'published' && feed.status === 'draft') feed.published = state.now
    feed.status = change.status
  }
  return done()
}

const WRITES: Omit<Rules, keyof typeof readings | keyof typeof peopleRules> = {
  post: (state, { by, name, place, privacy, status, survey }) => {
    if (!mayPost(by, place)) return FORBIDDEN
    state.serial += 1
    const marks = { serial: state.serial, published: state.now, text: `Words ${name}`, locked: false }
    state.feeds.push({ name, by, place, privacy, status, survey, ...marks })
    state.made.feeds.push(name)
    return done(status, 201)
  },
  edit: (state, { by, feed: name, change }) => {
    const feed = seenFeed(state, by, name)
    return feed ? edit(state, by, feed, change) : refused(404, 'feed_not_found')
  },
  remove: (state, { by, feed: name }) => {
    const feed = seenFeed(state, by, name)
    if (!feed) return refused(404, 'feed_not_found')
    if (feed.by !== by && by !== ADMIN) return FORBIDDEN
    state.feeds = without(state.feeds, (one) => one.name === name)
    sweep(state)
    return done()
  },
  comment: (state, { by, name, feed: under, parent }) => {
    const feed = seenFeed(state, by, under)
    if (!feed) return refused(404, 'feed_not_found')
    if (!takesPart(state, by, feed)) return FORBIDDEN
    if (feed.locked) return refused(403, 'feed_locked')
    const repliesTo = parent && state.comments.find((one) => one.name === parent && one.feed === under)
    if (parent && !repliesTo) return refused(404, 'parent_not_found')
    const top = repliesTo ? (repliesTo.parent ?? repliesTo.name) : null
    state.comments.push({ name, by, feed: under, parent: top, text: `Words ${name}` })
    state.made.comments.push(name)
    addEvent(state, { kind: 'commented', comment: name, feed: under })
    return done(top, 201)
  },
  reword: (state, { by, comment: name, feed, text }) => {
    const found = seenComment(state, by, name)
    if (found?.feed.name !== feed) return refused(404, 'comment_not_found')
    if (found.comment.by !== by && by !== ADMIN) return FORBIDDEN
    found.comment.text = text
    const { by: author } = found.comment
    if (author !== by) addEvent(state, { kind: 'edited', to: author, by, feed, comment: name, text })
    return done()
  },
  uncomment: (state, { by, comment: name, feed }) => {
    const found = seenComment(state, by, name)
    if (found?.feed.name !== feed) return refused(404, 'comment_not_found')
    if (found.comment.by !== by && by !== ADMIN) return FORBIDDEN
    state.comments = without(state.comments, (one) => one.name === name || one.parent === name)
    sweep(state)
    return done()
  },
  react: (state, { by, name, feed: on, comment, type }) => {
    const found = comment === null ? undefined : seenComment(state, by, comment)
    const feed = comment === null ? seenFeed(state, by, on) : found?.feed
    if (feed?.name !== on) return refused(404, 'content_not_found')
    if (!takesPart(state, by, feed)) return FORBIDDEN
    const before = state.reactions.find((one) => one.by === by && one.feed === on && one.comment === comment)
    if (before && before.type !== type) {
      before.type = type
      return done(['added', type])
    }
    if (before) state.reactions = without(state.reactions, (one) => one === before)
    else state.reactions.push({ name, by, feed: on, comment, type })
    addEvent(state, { kind: 'reacted', by, feed: on, comment })
    return done(before ? ['removed'] : ['added', type])
  },
  unreact: (state, { by, reaction: name }) => {
    const reaction = state.reactions.find((one) => one.name === name)
    if (!reaction || !seenFeed(state, by, reaction.feed)) return refused(404, 'reaction_not_found')
    if (reaction.by !== by && by !== ADMIN) return FORBIDDEN
    state.reactions = without(state.reactions, (one) => one === reaction)
    const { feed, comment } = reaction
    addEvent(state, { kind: 'reacted', by: reaction.by, feed, comment })
    return done()
  },
  bookmark: (state, { by, feed }) => {
    if (!seenFeed(state, by, feed)) return refused(404, 'feed_not_found')
    if (state.bookmarks.some((one) => one.by === by && one.feed === feed)) return refused(400, 'already_bookmarked')
    state.bookmarks.push({ by, feed })
    return done()
  },
  unbookmark: (state, { by, feed }) => {
    if (!state.bookmarks.some((one) => one.by === by && one.feed === feed))
      return refused(404, seenFeed(state, by, feed) ? 'bookmark_not_found' : 'feed_not_found')
    state.bookmarks = without(state.bookmarks, (one) => one.by === by && one.feed === feed)
    return done()
  },
  vote: (state, { by, feed: name, options }) => {
    const feed = seenFeed(state, by, name)
    if (!feed) return refused(404, 'feed_not_found')
    if (!takesPart(state, by, feed)) return FORBIDDEN
    if (feed.survey === 'none') return refused(404, 'survey_not_found')
    const known = options.every((option) => (OPTIONS as readonly string[]).includes(option))
    if (!known || (options.length > 1 && feed.survey === 'single')) return refused(400, 'invalid_option')
    state.votes = without(state.votes, (one) => one.by === by && one.feed === name)
    state.votes.push({ by, feed: name, options })
    return done(resultsOf(state, name))
  },
  readAll: (state, { by }) => {
    const marked = unreadOf(state, by)
    for (const notice of state.notices) if (notice.to === by) notice.isRead = true
    return done(marked)
  },
}

/** Number of voters, and votes per option. */
const resultsOf = (state: State, feed: string): readonly number[] => {
  const votes = state.votes.filter((one) => one.feed === feed)
  return [votes.length, ...OPTIONS.map((option) => votes.filter(({ options }) => options.includes(option)).length)]
}

const RULES = { ...WRITES, ...peopleRules, ...readings } as Rules

/** Applies an operation to the model and returns the expected response. */
export type Step = (state: State, operation: Operation) => Answer
export const step: Step = (state, operation) => RULES[operation.kind](state, operation as never)
