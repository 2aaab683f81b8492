import type { Event, Notice, State } from './state.ts'
import { PASSING, sees } from './state.ts'

/** Adds an event that the jobs will process. */
export const addEvent = (state: State, event: Event): void => void state.events.push(event)

const authorOf = (state: State, feed: string, comment: string | null): number | undefined =>
  comment === null ? state.feeds.find(({ name }) => name === feed)?.by : state.comments.find(({ name }) => name === comment)?.by

const hears = (state: State, who: number, feed: string): boolean => state.feeds.some((one) => one.name === feed && sees(state, who, one))

type New = Omit<Notice, 'causes' | 'isRead'>

/** Adds a cause to the unread notification about the same subject, or creates one; the same cause never notifies twice. */
const addCause = (state: State, notice: New, by: number, comment: string | null) => {
  const same = state.notices.filter(({ to, subject }) => to === notice.to && subject === notice.subject)
  if (same.some(({ causes }) => causes.some((cause) => cause.by === by && cause.comment === comment))) return
  const open = same.find(({ isRead }) => !isRead)
  if (open) open.causes.push({ by, comment })
  else state.notices.push({ ...notice, causes: [{ by, comment }], isRead: false })
}

const commented = (state: State, name: string, feed: string) => {
  const comment = state.comments.find((one) => one.name === name)
  if (!comment) return
  const hearers = new Map<number, New>()
  const author = authorOf(state, feed, null)
  if (author !== undefined) hearers.set(author, { to: author, subject: `comment on ${feed}`, feed, comment: null })
  const { parent } = comment
  const answered = parent === null ? undefined : authorOf(state, feed, parent)
  if (answered !== undefined) hearers.set(answered, { to: answered, subject: `reply to ${parent}`, feed, comment: parent })
  hearers.delete(comment.by)
  for (const [who, notice] of hearers) if (hears(state, who, feed)) addCause(state, notice, comment.by, name)
}

const reacted = (state: State, by: number, feed: string, comment: string | null) => {
  const to = authorOf(state, feed, comment)
  if (to === undefined || to === by) return
  const subject = `reaction to ${comment ?? feed}`
  if (state.reactions.some((one) => one.by === by && one.feed === feed && one.comment === comment)) {
    if (hears(state, to, feed)) addCause(state, { to, subject, feed, comment }, by, null)
    return
  }
  for (const notice of state.notices)
    if (notice.to === to && notice.subject === subject)
      notice.causes.splice(0, notice.causes.length, ...notice.causes.filter((cause) => cause.by !== by))
  state.notices = state.notices.filter(({ causes }) => causes.length > 0)
}

/** An author is notified of every edit by another person. */
const edited = (state: State, { to, by, feed, comment, text }: Extract<Event, { readonly kind: 'edited' }>) => {
  if (authorOf(state, feed, comment) !== to) return
  state.notices.push({ to, subject: `edit to ${text}`, feed, comment, causes: [{ by, comment: null }], isRead: false })
}

const followed = (state: State, from: number, to: number) => {
  if (!state.follows.some((one) => one.from === from && one.to === to)) return
  const subject = `follower ${from}`
  if (state.notices.some((one) => one.to === to && one.subject === subject)) return
  state.notices.push({ to, subject, feed: null, comment: null, causes: [{ by: from, comment: null }], isRead: false })
}

/** Runs the jobs: they process the events against the current state. */
export const afterJobs = (state: State): void => {
  for (const event of state.events.splice(0)) {
    if (event.kind === 'commented') commented(state, event.comment, event.feed)
    if (event.kind === 'reacted') reacted(state, event.by, event.feed, event.comment)
    if (event.kind === 'edited') edited(state, event)
    if (event.kind === 'followed') followed(state, event.from, event.to)
  }
}

const isSeen = (state: State, { to, feed, comment, causes }: Notice): boolean => {
  if (feed === null) return causes.some((cause) => state.follows.some((one) => one.from === cause.by && one.to === to))
  const stands = (name: string | null) => name === null || state.comments.some((one) => one.name === name)
  return hears(state, to, feed) && stands(comment) && causes.some((cause) => stands(cause.comment))
}

/** The number of unread notifications that the person may still see. */
export const unreadOf = (state: State, who: number): number =>
  state.notices.filter((notice) => notice.to === who && !notice.isRead && isSeen(state, notice)).length

/** The points of a person, from posts, the first post, comments, reactions received and a course. */
export const pointsOf = (state: State, who: number): number => {
  const posts = state.feeds.filter(({ by, status }) => by === who && status === 'published').length
  const comments = state.comments.filter(({ by }) => by === who).length
  const reactions = state.reactions.filter(({ by, feed, comment }) => by !== who && authorOf(state, feed, comment) === who).length
  const passed = state.attempts.some(({ by, score }) => by === who && score !== null && score >= PASSING)
  return posts * 50 + (posts > 0 ? 50 : 0) + comments * 10 + reactions * 5 + (passed ? 100 : 0)
}
