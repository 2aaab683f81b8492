import { type Answer, done, refused, without } from './answer.ts'
import { addEvent } from './consequences.ts'
import type { Operation } from './operations.ts'
import { follows, MOST_ATTEMPTS, PASSING, type State } from './state.ts'

type Kinds = 'follow' | 'unfollow' | 'drop' | 'approve' | 'reject' | 'hide' | 'show' | 'start' | 'submit'
type PeopleRules = { readonly [K in Kinds]: (state: State, operation: Extract<Operation, { readonly kind: K }>) => Answer }

const endFollow = (state: State, from: number, to: number): Answer => {
  if (!follows(state, from, to)) return refused(400, 'not_following')
  state.follows = without(state.follows, (one) => one.from === from && one.to === to)
  return done()
}

const barTo = (state: State, by: number): Answer | null => {
  const scores = state.attempts.flatMap((one) => (one.by === by && one.score !== null ? [one.score] : []))
  if (scores.some((score) => score >= PASSING)) return refused(409, 'already_submitted')
  return scores.length >= MOST_ATTEMPTS ? refused(403, 'max_attempts_reached') : null
}

/** Rules for follows, private profiles and quiz attempts. */
export const peopleRules: PeopleRules = {
  follow: (state, { by, name, to }) => {
    if (follows(state, by, to)) return refused(400, 'already_following')
    const status = state.closed[to] ? 'pending' : 'active'
    state.follows.push({ name, from: by, to, status })
    addEvent(state, { kind: 'followed', from: by, to })
    return done(status, status === 'active' ? 201 : 200)
  },
  unfollow: (state, { by, to }) => endFollow(state, by, to),
  drop: (state, { by, to }) => endFollow(state, to, by),
  approve: (state, { by, from, request }) => {
    const row = follows(state, from, by)
    if (!row || row.name !== request || row.status !== 'pending') return refused(404, 'request_not_found')
    row.status = 'active'
    addEvent(state, { kind: 'followed', from, to: by })
    return done()
  },
  reject: (state, { by, from, request }) => {
    const row = follows(state, from, by)
    if (!row || row.name !== request || row.status !== 'pending') return refused(404, 'request_not_found')
    return endFollow(state, from, by)
  },
  hide: (state, { by }) => {
    state.closed[by] = true
    return done()
  },
  show: (state, { by }) => {
    state.closed[by] = false
    for (const row of state.follows)
      if (row.to === by && row.status === 'pending') {
        row.status = 'active'
        addEvent(state, { kind: 'followed', from: row.from, to: by })
      }
    return done()
  },
  start: (state, { by }) => {
    const bar = barTo(state, by)
    if (bar) return bar
    const mine = state.attempts.filter((one) => one.by === by)
    const open = mine.find(({ score }) => score === null)
    if (!open) state.attempts.push({ by, number: mine.length + 1, score: null })
    return done(open?.number ?? mine.length + 1, open ? 200 : 201)
  },
  submit: (state, { by, right }) => {
    const bar = barTo(state, by)
    if (bar) return bar
    const mine = state.attempts.filter((one) => one.by === by)
    const score = Math.round((right * 100) / 3)
    const attempt = mine.find((one) => one.score === null) ?? { by, number: mine.length + 1, score }
    if (!mine.includes(attempt)) state.attempts.push(attempt)
    attempt.score = score
    const passed = score >= PASSING
    return done({ attempt_number: attempt.number, score, passed, can_retake: barTo(state, by) === null }, 201)
  },
}
