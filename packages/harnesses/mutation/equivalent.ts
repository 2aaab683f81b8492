/** Equivalent mutants of a file: changes without an observable effect, or without an effect on authorization. */
export interface Equivalent {
  readonly file: string
  /** Descriptions as in `Mutant.what`. */
  readonly whats: readonly string[]
  /** Beginning of the changed line; any line by default. */
  readonly at?: string
  readonly why: string
}

const MODULES = 'packages/server/src/modules'
const SOURCE = 'packages/server/src'

const HOLDS_ALL = 'An administrator holds every permission, and no record of his is limited to spaces: the role says it once more.'
const NO_SPACE = 'The columns of a space are null together: one of them says it, the others are for the types.'
const ONLY_FASTER = 'What is remembered is what would be found: it is only faster.'
const EMPTY_LIST = 'SQLite takes an empty list, in which nothing is; PostgreSQL refuses it.'
const ASKED_AFTER_VIEW = 'Whoever asks for it is refused first where he may not see it: the ability says it once more.'
const TWICE = 'It is asked before the row is held and after: either is enough for who asks alone.'

export const EQUIVALENT: readonly Equivalent[] = [
  {
    file: `${SOURCE}/auth/authenticate.ts`,
    whats: ['without spaceId !== null'],
    why: 'No record is limited to a space without a number: the question is for the types.',
  },
  { file: `${SOURCE}/auth/authenticate.ts`, whats: ['never: !cookie'], why: ONLY_FASTER },
  {
    file: `${SOURCE}/http/pipeline/endpoint.ts`,
    whats: ['never: !actor'],
    why: 'Who does not say who he is has been refused at the gate, wherever it is not open to all.',
  },
  {
    file: `${MODULES}/feeds/access.ts`,
    whats: ['without admin', "without actor.role === 'admin'"],
    why: HOLDS_ALL,
  },
  {
    file: `${MODULES}/feeds/access.ts`,
    whats: ['without feed.space_id !== null && feed.s_privacy', 'without feed.s_status', 'without feed.space_id !== null'],
    why: NO_SPACE,
  },
  {
    file: `${MODULES}/feeds/access.ts`,
    whats: ['always: managed.length > 0', '>= for > between managed.length and 0'],
    why: EMPTY_LIST,
  },
  { file: `${MODULES}/feeds/access.ts`, whats: ['without view'], at: 'approve: ', why: ASKED_AFTER_VIEW },
  { file: `${MODULES}/feeds/access.ts`, whats: ['without view'], at: 'moderate: ', why: ASKED_AFTER_VIEW },
  { file: `${MODULES}/feeds/visible-feed-cache.ts`, whats: ['never: cached'], why: ONLY_FASTER },
  {
    file: `${MODULES}/feeds/visible-feed-cache.ts`,
    whats: ['never: feed.space_id === null'],
    why: 'No change ever names a space that is none: what is kept is only told of one thing more that never happens.',
  },
  { file: `${MODULES}/feeds/search/visibility.ts`, whats: ['never: cached'], why: ONLY_FASTER },
  {
    file: `${MODULES}/comments/access.ts`,
    whats: ['without view'],
    at: 'remove: ',
    why: ASKED_AFTER_VIEW,
  },
  {
    file: `${MODULES}/reactions/commands.ts`,
    whats: ['without !feed'],
    why: 'What may be done with a feed that there is not is nothing: one question answers both, the other is for the types.',
  },
  {
    file: `${MODULES}/reactions/commands.ts`,
    whats: ['never: found'],
    why: 'Without the lock two of these at once may count one reaction twice; who may is asked afterwards all the same.',
  },
  { file: `${MODULES}/spaces/access.ts`, whats: ["without actor.role === 'admin'"], why: HOLDS_ALL },
  {
    file: `${MODULES}/spaces/access.ts`,
    whats: [
      'always: managed.length > 0',
      '>= for > between managed.length and 0',
      'always: own.length > 0',
      '>= for > between own.length and 0',
      'always: staffSpaces(actor).length > 0',
      '>= for > between staffSpaces(actor).length and 0',
    ],
    why: EMPTY_LIST,
  },
  { file: `${MODULES}/courses/access.ts`, whats: ["without actor.role === 'admin'"], why: HOLDS_ALL },
  {
    file: `${MODULES}/courses/lesson-access.ts`,
    whats: ['without value === true'],
    why: 'The contract stores yes and no; a truth would be what another program has put there.',
  },
  {
    file: `${MODULES}/courses/lesson-access.ts`,
    whats: ["never: ability === 'learn' && course.my_enrolment_id === null"],
    why: TWICE,
  },
  {
    file: `${MODULES}/courses/lesson-access.ts`,
    whats: ["without courseSetting(course, 'sequential_lesson_order')"],
    at: 'const ordered',
    why: ONLY_FASTER,
  },
  { file: `${MODULES}/members/directory/account-status.ts`, whats: ['without await assertMayActOn(ctx, userId)'], why: TWICE },
  {
    file: `${MODULES}/media/access.ts`,
    whats: ['without the refusal'],
    why: 'What is no refusal is a fault of the database: without the throw it is answered 500 all the same.',
  },
  {
    file: `${MODULES}/media/access.ts`,
    whats: ['remove: true for false'],
    why: 'Whoever removes a file is asked first whether he sees it; without an account nobody gets there.',
  },
  {
    file: `${MODULES}/media/access.ts`,
    whats: ['never: !found'],
    why: 'The files of a lesson go with it: no file belongs to one that there is not.',
  },
  {
    file: `${MODULES}/media/access.ts`,
    whats: ['without !comment'],
    why: 'The feed of a comment that there is not is none: one question answers both, the other is for the types.',
  },
  { file: `${MODULES}/analytics/access.ts`, whats: ["never: role === 'admin'"], why: HOLDS_ALL },
]
