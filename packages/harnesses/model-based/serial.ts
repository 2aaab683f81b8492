import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import type { Member, World } from '#test/world.ts'
import type { Answer } from './answer.ts'
import { afterJobs } from './consequences.ts'
import { finalReads, type Operation, operationOf, type PlannedOperation } from './operations.ts'
import { createReal, type Real } from './real.ts'
import type { Step } from './rules.ts'
import { emptyState, MEMBERS, type State } from './state.ts'

/** Relative frequency of each kind of operation. */
const WEIGHTS: Readonly<Record<Exclude<Operation['kind'], 'seeStanding'>, number>> = {
  post: 6,
  edit: 6,
  remove: 1,
  comment: 8,
  reword: 2,
  uncomment: 2,
  react: 10,
  unreact: 2,
  bookmark: 3,
  unbookmark: 2,
  vote: 6,
  follow: 4,
  unfollow: 2,
  drop: 1,
  approve: 3,
  reject: 1,
  hide: 2,
  show: 1,
  start: 1,
  submit: 3,
  readAll: 2,
  see: 3,
  seeComments: 2,
  seeReactions: 1,
  seePlace: 1,
  seePosts: 1,
  seeFollowers: 1,
  seeFollow: 1,
  seeBookmarks: 1,
  seeRequests: 1,
  seeResult: 1,
}

const plannedOperation = (kinds: readonly Operation['kind'][]): fc.Arbitrary<PlannedOperation> =>
  fc.record({
    kind: fc.constantFrom(...kinds),
    by: fc.nat(3),
    first: fc.nat(20),
    second: fc.nat(20),
    third: fc.nat(20),
  })

const ALL_KINDS = Object.entries(WEIGHTS).flatMap(([kind, weight]) => Array.from({ length: weight }, () => kind as Operation['kind']))

export class Disagreement extends Error {}

const shown = (value: unknown) => JSON.stringify(value)

/** @throws Disagreement when the server's response differs from the model */
export const agree = (operation: Operation, real: Answer, expected: Answer): void => {
  if (isDeepStrictEqual(JSON.parse(shown(real)), JSON.parse(shown(expected)))) return
  throw new Disagreement(`${shown(operation)}\n  the server: ${shown(real)}\n  the rules:  ${shown(expected)}`)
}

/** A run in progress: the model and the server. */
export interface Run {
  readonly state: State
  readonly real: Real
  readonly world: World
  readonly step: Step
  made: number
  operations: number
}

export const beginRun = async (world: World, admin: Member, step: Step): Promise<Run> => ({
  state: emptyState(),
  real: await createReal(world, admin),
  world,
  step,
  made: 0,
  operations: 0,
})

/** Resolves a wish to an operation with a name that is unique in the run. */
export const resolve = (run: Run, asked: PlannedOperation): Operation => {
  run.made += 1
  return operationOf(run.state, asked, `n${run.made}`)
}

/** Performs the operation on both sides. */
export const perform = async (run: Run, operation: Operation): Promise<void> => {
  await run.real.prepare(operation)
  const real = await run.real.perform(operation)
  run.operations += 1
  agree(operation, real, run.step(run.state, operation))
}

export const runPendingJobs = async ({ world, state }: Run): Promise<void> => {
  await world.runPendingJobs()
  afterJobs(state)
}

const LOOKS_AT_ONCE = 6

/** The final reads of every person. */
const compareAll = async (run: Run): Promise<void> => {
  await runPendingJobs(run)
  const looks = finalReads(run.state, run.made)
  run.operations += looks.length
  const lane = async () => {
    for (let look = looks.pop(); look; look = looks.pop()) agree(look, await run.real.perform(look), run.step(run.state, look))
  }
  // All have ended before a failure is reported, so that nothing is in progress during the next run.
  const failed = (await Promise.allSettled(Array.from({ length: LOOKS_AT_ONCE }, lane))).find(({ status }) => status === 'rejected')
  if (failed) throw (failed as PromiseRejectedResult).reason
}

type Model = { readonly run: Run }
type Command = fc.AsyncCommand<Model, Run>

const doing = (asked: PlannedOperation): Command => ({
  check: () => true,
  run: async (_, run) => {
    await perform(run, resolve(run, asked))
  },
  toString: () => `${asked.kind}(by ${asked.by}: ${asked.first}, ${asked.second}, ${asked.third})`,
})

const jobs: Command = {
  check: () => true,
  run: async (_, run) => {
    await runPendingJobs(run)
    await perform(run, { kind: 'seeStanding', by: run.made % MEMBERS.length })
  },
  toString: () => 'jobs()',
}
const later = (seconds: number): Command => ({
  check: () => true,
  run: async (_, run) => {
    run.world.clock.advance(seconds)
    run.state.now += seconds
  },
  toString: () => `later(${seconds})`,
})

const breaks = fc.oneof(fc.constant(jobs), fc.integer({ min: 1, max: 90 }).map(later))
const MAKING = ['post', 'comment', 'react'] as const
const LONGEST = 40

/** A random sequence of operations, jobs and clock changes. */
export const sequences = (): fc.Arbitrary<Iterable<Command>> =>
  fc.noBias(
    fc.commands(
      [
        plannedOperation(MAKING).map(doing),
        plannedOperation(ALL_KINDS).map(doing),
        plannedOperation(ALL_KINDS).map(doing),
        plannedOperation(ALL_KINDS).map(doing),
        breaks,
      ],
      {
        maxCommands: LONGEST,
        size: 'max',
      },
    ),
  )

/** Runs one sequence with its own people and spaces; returns the compared operations. @throws Disagreement */
export const runSequence = async (world: World, admin: Member, commands: Iterable<Command>, step: Step): Promise<number> => {
  const run = await beginRun(world, admin, step)
  await fc.asyncModelRun(() => ({ model: { run }, real: run }), commands)
  await compareAll(run)
  return run.operations
}
