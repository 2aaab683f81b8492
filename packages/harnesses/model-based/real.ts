import { type Answers, type Inputs, LyceumError } from '@lyceum/sdk'
import { makeSpace, type Space } from '#test/fixtures.ts'
import { makeQuiz, type QuizPlace, THREE, truths } from '#test/quiz-stage.ts'
import type { Member, World } from '#test/world.ts'
import { type Answer, done, refused } from './answer.ts'
import type { Change, Operation } from './operations.ts'
import { ADMIN, MOST_ATTEMPTS, OPTIONS, PASSING, type Place } from './state.ts'

type Doing<K extends Operation['kind']> = Extract<Operation, { readonly kind: K }>
type Calls = { readonly [K in Operation['kind']]: (operation: Doing<K>) => Promise<Answer> }
type Feed = Answers['feeds']['byId']['data']
interface Survey {
  readonly total_votes: number
  readonly options: readonly { readonly votes: number }[]
  readonly voted: readonly string[]
}

/** An id that no object ever has. */
/** The reason for editing another member's content; authors are not asked. */
const REASON = 'House rules'

const NO_ID = 987_654_321
const ALL = 100

/** The people, spaces and quiz of one run on the server, and the ids behind the model's names. */
export interface Real {
  /** Resolves the names in the operation to their current ids. */
  prepare(operation: Operation): Promise<void>
  perform(operation: Operation): Promise<Answer>
}

/** New people and spaces for a run, in a world shared with earlier runs. */
export const createReal = async (world: World, admin: Member): Promise<Real> => {
  const actors = [...(await Promise.all([world.member(), world.member(), world.member()])), admin]
  const students = actors.filter((_, i) => i !== ADMIN)
  const members = actors.slice(0, 2)
  const spaces: Readonly<Record<Exclude<Place, 'nowhere'>, Space>> = {
    open: await makeSpace(world, { members }),
    closed: await makeSpace(world, { members, privacy: 'private' }),
  }
  const quiz = await makeQuiz(world, { students, questions: THREE, settings: { max_attempts: MOST_ATTEMPTS, passing_score: PASSING } })
  return connect(actors, spaces, quiz)
}

const connect = (actors: readonly Member[], spaces: Readonly<Record<Exclude<Place, 'nowhere'>, Space>>, quiz: QuizPlace): Real => {
  const ids = new Map<string, number>()
  const reactions = new Set<number>()
  const names = { feeds: new Map<number, string>(), comments: new Map<number, string>() }
  const api = (by: number) => (actors[by] as Member).api
  const idOf = (name: string | null) => (name === null ? NO_ID : (ids.get(name) ?? NO_ID))
  const username = (of: number) => (actors[of] as Member).username
  const indexOf = (userId: number) => actors.findIndex(({ id }) => id === userId)
  const spaceId = (place: Place) => (place === 'nowhere' ? null : spaces[place].id)
  const placeOf = (id: number | null): Place => (id === null ? 'nowhere' : id === spaces.open.id ? 'open' : 'closed')
  const feedName = (id: number) => names.feeds.get(id) ?? `feed ${id}`
  const commentName = (id: number) => names.comments.get(id) ?? `comment ${id}`
  const keep = (kind: keyof typeof names, name: string, id: number) => {
    ids.set(name, id)
    names[kind].set(id, name)
  }

  const shown = (feed: Feed) => {
    const survey = (feed.meta as { survey?: Survey }).survey
    return {
      name: feedName(feed.id),
      by: indexOf(feed.user_id),
      place: placeOf(feed.space_id),
      privacy: feed.privacy,
      status: feed.status,
      text: feed.message,
      comments_count: feed.comments_count,
      reactions_count: feed.reactions_count,
      has_user_react: feed.has_user_react,
      bookmarked: feed.bookmarked,
      survey: survey ? { total: survey.total_votes, counts: survey.options.map(({ votes }) => votes), mine: survey.voted } : null,
      comments: feed.comments.map(({ id }) => commentName(id)),
      reactions: feed.reactions.map(({ user_id, type }) => [indexOf(user_id), type]),
    }
  }
  const list = async (by: number, input: Inputs['feeds']['list']): Promise<Answer> => {
    const { feeds } = await api(by).feeds.list({ ...input, per_page: ALL })
    return done({ total: feeds.total, data: feeds.data.map(shown) })
  }
  const bodyOf = (change: Change) => {
    if ('text' in change) return { message: change.text }
    if ('place' in change) return { space_id: spaceId(change.place) }
    return 'locked' in change ? { meta: { comments_disabled: change.locked } } : change
  }
  const survey = (kind: Doing<'post'>['survey']) => ({
    question: 'Which?',
    options: OPTIONS.map((slug) => ({ slug, label: slug })),
    allow_multiple: kind === 'multiple',
    show_results: 'always',
  })
  const place = { course_id: quiz.course_id, lesson_id: quiz.lesson_id }
  const requestsOf = async (by: number) => {
    const { data, meta } = await api(by).followers.requests({ per_page: ALL })
    return { total: meta.total, data }
  }

  const calls: Calls = {
    post: async ({ by, name, place: where, privacy, status, survey: kind }) => {
      const meta = kind === 'none' ? {} : { survey: survey(kind) }
      const input = { message: `Words ${name}`, space_id: spaceId(where), privacy, status, meta }
      const { status: code, body } = await api(by).feeds.create.answer(input)
      keep('feeds', name, body.data.id)
      return done(body.data.status, code)
    },
    edit: async ({ by, feed, change }) => {
      await api(by).feeds.update({ feed_id: idOf(feed), ...bodyOf(change), reason: REASON })
      return done()
    },
    remove: async ({ by, feed }) => {
      await api(by).feeds.remove({ feed_id: idOf(feed) })
      return done()
    },
    comment: async ({ by, name, feed, parent }) => {
      const input = { feed_id: idOf(feed), comment: `Words ${name}`, ...(parent !== null && { parent_id: idOf(parent) }) }
      const { status, body } = await api(by).comments.create.answer(input)
      keep('comments', name, body.data.id)
      const { parent_id } = body.data
      return done(parent_id ? commentName(parent_id) : null, status)
    },
    reword: async ({ by, feed, comment, text }) => {
      await api(by).comments.update({ feed_id: idOf(feed), comment_id: idOf(comment), comment: text, reason: REASON })
      return done()
    },
    uncomment: async ({ by, feed, comment }) => {
      await api(by).comments.remove({ feed_id: idOf(feed), comment_id: idOf(comment) })
      return done()
    },
    react: async ({ by, name, feed, comment, type }) => {
      const feed_id = idOf(feed)
      const to = api(by).reactions
      const answer =
        comment === null ? await to.toFeed({ feed_id, type }) : await to.toComment({ feed_id, comment_id: idOf(comment), type })
      const { action, reaction } = answer.data
      // Another reaction type keeps the row, and therefore its name.
      if (reaction && !reactions.has(reaction.id)) ids.set(name, reaction.id)
      if (reaction) reactions.add(reaction.id)
      return done(reaction ? [action, reaction.type] : [action])
    },
    unreact: async ({ by, reaction }) => {
      await api(by).reactions.remove({ reaction_id: idOf(reaction) })
      return done()
    },
    bookmark: async ({ by, feed }) => {
      await api(by).reactions.toFeed({ feed_id: idOf(feed), react_type: 'bookmark' })
      return done()
    },
    unbookmark: async ({ by, feed }) => {
      await api(by).reactions.toFeed({ feed_id: idOf(feed), react_type: 'bookmark', remove: true })
      return done()
    },
    vote: async ({ by, feed, options }) => {
      const option_slug = options.length === 1 ? (options[0] as string) : [...options]
      const { results } = await api(by).surveys.vote({ feed_id: idOf(feed), option_slug })
      return done([results.total_votes, ...results.options.map(({ votes }) => votes)])
    },
    follow: async ({ by, to }) => {
      const { status, body } = await api(by).followers.follow.answer({ username: username(to) })
      return done(body.data.status, status)
    },
    unfollow: async ({ by, to }) => {
      await api(by).followers.unfollow({ username: username(to) })
      return done()
    },
    drop: async ({ by, to }) => {
      await api(by).followers.removeFollower({ username: username(to) })
      return done()
    },
    approve: async ({ by, request }) => {
      await api(by).followers.approve({ request_id: idOf(request) })
      return done()
    },
    reject: async ({ by, request }) => {
      await api(by).followers.reject({ request_id: idOf(request) })
      return done()
    },
    hide: async ({ by }) => {
      await api(by).profiles.update({ username: username(by), is_private: true })
      return done()
    },
    show: async ({ by }) => {
      await api(by).profiles.update({ username: username(by), is_private: false })
      return done()
    },
    start: async ({ by }) => {
      const { status, body } = await api(by).quizzes.start.answer(place)
      return done(body.data.attempt_number, status)
    },
    submit: async ({ by, right }) => {
      const answers = truths(right > 0, right > 1, right > 2)
      const { status, body } = await api(by).quizzes.submit.answer({ ...place, answers })
      const { attempt_number, score, passed, can_retake } = body.quiz_result
      return done({ attempt_number, score, passed, can_retake }, status)
    },
    readAll: async ({ by }) => done((await api(by).notifications.markAllRead()).data.marked_count),

    see: async ({ by, feed }) => done(shown((await api(by).feeds.byId({ feed_id: idOf(feed) })).data)),
    seeComments: async ({ by, feed }) => {
      const { comments } = await api(by).comments.list({ feed_id: idOf(feed), per_page: ALL })
      return done(
        comments.map(({ id, user_id, parent_id, message, reactions_count, has_user_react }) => ({
          name: commentName(id),
          by: indexOf(user_id),
          parent: parent_id === null ? null : commentName(parent_id),
          text: message,
          reactions_count,
          has_user_react,
        })),
      )
    },
    seeReactions: async ({ by, feed, comment }) => {
      const of = api(by).reactions
      const { reactions, pagination } =
        comment === null ? await of.ofFeed({ feed_id: idOf(feed) }) : await of.ofComment({ comment_id: idOf(comment) })
      return done({ total: pagination.total, data: reactions.map(({ user_id, type }) => [indexOf(user_id), type]) })
    },
    seePlace: ({ by, place: where }) => list(by, { space: spaces[where].slug }),
    seePosts: ({ by, of }) => list(by, { user_id: (actors[of] as Member).id }),
    seeBookmarks: async ({ by }) => {
      const { data, meta } = await api(by).bookmarks.list({ per_page: ALL })
      return done({ total: meta.total, data: data.map(({ feed_id }) => feedName(feed_id)) })
    },
    seeFollowers: async ({ by, of }) => {
      const { followers } = await api(by).followers.followers({ username: username(of), per_page: ALL })
      return done({ total: followers.total, data: followers.data.map(({ follower_id }) => indexOf(follower_id)) })
    },
    seeFollow: async ({ by, of }) => {
      const { status, is_followed_by } = (await api(by).followers.status({ username: username(of) })).data
      return done({ status, is_followed_by })
    },
    seeRequests: async ({ by }) => {
      const { total, data } = await requestsOf(by)
      return done({ total, data: data.map(({ follower_id }) => indexOf(follower_id)) })
    },
    seeResult: async ({ by }) => {
      const { quiz_result, quiz_settings } = await api(by).quizzes.result(place)
      const { attempt_number, score, passed } = quiz_result
      return done({ attempt_number, score, passed, attempts_used: quiz_settings.attempts_used })
    },
    seeStanding: async ({ by }) => {
      const { profile } = await api(by).profiles.get({ username: 'me' })
      const { unread_count: unread } = await api(by).notifications.unread()
      return done({ points: profile.total_points, unread, followers: profile.followers_count, followings: profile.followings_count })
    },
  }

  return {
    prepare: async (operation) => {
      if (operation.kind !== 'approve' && operation.kind !== 'reject') return
      if (operation.request === null) return
      const { data } = await requestsOf(operation.by)
      const found = data.find(({ follower_id }) => indexOf(follower_id) === operation.from)
      ids.set(operation.request, found?.id ?? NO_ID)
    },
    perform: async (operation) => {
      try {
        return await calls[operation.kind](operation as never)
      } catch (error) {
        if (!(error instanceof LyceumError)) throw error
        return refused(error.status, error.code)
      }
    },
  }
}
