import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import type { Member, World } from '#test/world.ts'
import type { Answer } from './answer.ts'
import { afterJobs } from './consequences.ts'
import { type Operation, operationOf, type PlannedOperation } from './operations.ts'
import type { Step } from './rules.ts'
import { beginRun, Disagreement, perform, type Run } from './serial.ts'
import { MEMBERS, type State } from './state.ts'

/** An operation and the server's response. */
export interface Sent {
  readonly operation: Operation
  readonly answer: Answer
}

const same = (a: Answer, b: Answer) => isDeepStrictEqual(JSON.parse(JSON.stringify(a)), JSON.parse(JSON.stringify(b)))

/**
 * What a read gets from additional statements. On PostgreSQL each statement has its own snapshot, so a concurrent write may be visible in
 * only one of them.
 */
const READ_APART: Partial<Record<Operation['kind'], readonly string[]>> = {
  see: ['survey', 'comments', 'reactions'],
  seeReactions: ['total'],
  seeRequests: ['total'],
}

/** The part of a concurrent read that comes from one snapshot. */
const atOnce = ({ kind }: Operation, answer: Answer): Answer => {
  const apart = READ_APART[kind]
  if (!apart || answer.body === undefined) return answer
  const kept = Object.entries(answer.body as object).filter(([name]) => !apart.includes(name))
  return { ...answer, body: Object.fromEntries(kept) }
}

/**
 * Whether some sequential order of the operations explains the concurrent responses and the later reads. Tries every order, and abandons
 * one at the first response that differs from the model.
 */
export const isExplained = (state: State, at_once: readonly Sent[], afterwards: readonly Sent[], step: Step): boolean => {
  if (at_once.length === 0) {
    const end = structuredClone(state)
    afterJobs(end)
    return afterwards.every(({ operation, answer }) => same(step(end, operation), answer))
  }
  return at_once.some(({ operation, answer }, i) => {
    const next = structuredClone(state)
    return (
      same(atOnce(operation, step(next, operation)), atOnce(operation, answer)) &&
      isExplained(next, at_once.toSpliced(i, 1), afterwards, step)
    )
  })
}

/** An object and what people may do to it concurrently. */
interface Arena {
  /** The operations that create it. */
  readonly first: readonly PlannedOperation[]
  readonly by: readonly number[]
  readonly kinds: readonly Operation['kind'][]
}

const wish = (kind: PlannedOperation['kind'], by: number, first = 0, second = 0, third = 0): PlannedOperation => ({
  kind,
  by,
  first,
  second,
  third,
})
const POST = wish('post', 0, 1)

const ARENAS: Readonly<Record<string, Arena>> = {
  'a conversation': {
    first: [POST, wish('comment', 1)],
    by: [0, 1, 1, 3],
    kinds: ['react', 'react', 'react', 'comment', 'comment', 'uncomment', 'reword', 'unreact', 'see', 'seeComments', 'seeReactions'],
  },
  'a feed': {
    first: [POST, wish('comment', 1), wish('react', 1)],
    by: [0, 0, 1, 3],
    kinds: ['edit', 'edit', 'edit', 'react', 'comment', 'bookmark', 'unbookmark', 'bookmark', 'remove', 'see'],
  },
  'a survey': { first: [wish('post', 0, 1, 0, 2)], by: [0, 1, 1, 3], kinds: ['vote', 'vote', 'vote', 'see', 'edit'] },
  'two people': {
    first: [wish('hide', 0)],
    by: [0, 1],
    kinds: ['follow', 'follow', 'unfollow', 'drop', 'approve', 'reject', 'hide', 'show', 'seeFollow', 'seeRequests'],
  },
  'a quiz': { first: [], by: [0, 0, 1], kinds: ['start', 'submit', 'submit', 'submit', 'seeResult'] },
}

export interface Race {
  readonly arena: string
  readonly before: readonly PlannedOperation[]
  readonly at_once: readonly PlannedOperation[]
}

const MOST_AT_ONCE = 6

const wishes = ({ by, kinds }: Arena) =>
  fc.record({
    kind: fc.constantFrom(...kinds),
    by: fc.constantFrom(...by),
    // Usually the same object or the same number of correct answers; always a pair of people.
    first: kinds.includes('follow') ? fc.constant(0) : fc.nat(3),
    second: fc.nat(6),
    third: fc.nat(5),
  })

/** Operations that set up an object, followed by concurrent operations on it. */
export const races = (): fc.Arbitrary<Race> =>
  fc.oneof(
    ...Object.entries(ARENAS).map(([arena, what]) =>
      fc.record({
        arena: fc.constant(arena),
        before: fc.array(wishes(what), { maxLength: 3 }),
        at_once: fc.array(wishes(what), { minLength: 2, maxLength: MOST_AT_ONCE, size: 'max' }),
      }),
    ),
  )

const looksAt = (state: State, sent: readonly Operation[]): Operation[] => {
  const commented = [...state.comments.map(({ name, feed }) => ({ name, feed })), ...sent.filter(({ kind }) => kind === 'comment')] as {
    name: string
    feed: string
  }[]
  return [
    ...state.feeds.flatMap(({ name: feed }): Operation[] => [
      ...[0, 1].map((by): Operation => ({ kind: 'see', by, feed })),
      { kind: 'seeComments', by: 0, feed },
      { kind: 'seeReactions', by: 0, feed, comment: null },
    ]),
    ...commented.map(({ name: comment, feed }): Operation => ({ kind: 'seeReactions', by: 0, feed, comment })),
    ...MEMBERS.flatMap((by): Operation[] => [
      { kind: 'seeStanding', by },
      { kind: 'seeBookmarks', by },
      { kind: 'seeRequests', by },
      { kind: 'seeResult', by },
    ]),
    { kind: 'seeFollow', by: 0, of: 1 },
  ]
}

const told = (sent: readonly Sent[]) => sent.map(({ operation, answer }) => `  ${JSON.stringify(operation)}: ${JSON.stringify(answer)}`)

/** The history of a race: the initial state, the concurrent responses and the later reads. */
export interface History {
  readonly before: State
  readonly at_once: readonly Sent[]
  readonly afterwards: readonly Sent[]
}

const performOf =
  (run: Run) =>
  async (operation: Operation): Promise<Sent> => ({ operation, answer: await run.real.perform(operation) })

/** Runs a race with its own people and spaces; `meddle` may damage the server's data before the final reads. */
export const runRace = async (world: World, admin: Member, race: Race, step: Step, meddle = async () => {}): Promise<History> => {
  const run = await beginRun(world, admin, step)
  const named = (asked: PlannedOperation) => operationOf(run.state, asked, `n${++run.made}`)
  for (const asked of [...(ARENAS[race.arena] as Arena).first, ...race.before]) await perform(run, named(asked))
  await world.runPendingJobs()
  afterJobs(run.state)
  // Names refer to the state before all of them.
  const operations = race.at_once.map(named)
  for (const operation of operations) await run.real.prepare(operation)
  const at_once = await Promise.all(operations.map(performOf(run)))
  await meddle()
  await world.runPendingJobs()
  const afterwards: Sent[] = []
  for (const look of looksAt(run.state, operations)) afterwards.push(await performOf(run)(look))
  return { before: run.state, at_once, afterwards }
}

/** @throws Disagreement when no order explains the responses and reads */
export const explain = ({ before, at_once, afterwards }: History, step: Step): void => {
  if (isExplained(before, at_once, afterwards, step)) return
  throw new Disagreement(['no order explains', ...told(at_once), 'and afterwards', ...told(afterwards)].join('\n'))
}
