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

const HOLDS_ALL = 'An administrator holds every permission, in all spaces: the check of the role repeats it.'
const NO_SPACE = 'The columns of a space are null together: one check suffices, the others are for the types.'
const ONLY_FASTER = 'The cached value equals the stored one: the check only saves time.'
const EMPTY_LIST = 'SQLite accepts an empty list, which matches nothing; PostgreSQL refuses it.'
const ASKED_AFTER_VIEW = 'A caller who may not see it is refused earlier: the ability repeats the check.'
const TWICE = 'It is checked before and after the row lock: without concurrency, either check suffices.'

export const EQUIVALENT: readonly Equivalent[] = [
  {
    file: `${SOURCE}/auth/authenticate.ts`,
    whats: ['without spaceId !== null'],
    why: 'No record is limited to a space without an id: the check is for the types.',
  },
  { file: `${SOURCE}/auth/authenticate.ts`, whats: ['never: !cookie'], why: ONLY_FASTER },
  {
    file: `${SOURCE}/http/pipeline/endpoint.ts`,
    whats: ['never: !actor'],
    why: 'Unauthenticated callers are refused earlier, unless the operation is public.',
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
  {
    file: `${MODULES}/comments/access.ts`,
    whats: ['without view'],
    at: 'remove: ',
    why: ASKED_AFTER_VIEW,
  },
  {
    file: `${MODULES}/reactions/commands.ts`,
    whats: ['without !feed'],
    why: 'Nothing may be done with a feed that does not exist: one check answers both, the other is for the types.',
  },
  {
    file: `${MODULES}/reactions/commands.ts`,
    whats: ['never: found'],
    why: 'Without the lock, two concurrent requests may count one reaction twice; permission is checked afterwards anyway.',
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
    why: 'The contract stores yes and no; only another program could have stored a boolean.',
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
    why: 'Any other error comes from the database: without the throw the response is 500 as well.',
  },
  {
    file: `${MODULES}/media/access.ts`,
    whats: ['remove: true for false'],
    why: 'Removal first checks that the caller may see the file; unauthenticated callers are refused earlier.',
  },
  {
    file: `${MODULES}/media/access.ts`,
    whats: ['never: !found'],
    why: 'The files of a lesson are deleted with it: no file belongs to a lesson that does not exist.',
  },
  {
    file: `${MODULES}/media/access.ts`,
    whats: ['without !comment'],
    why: 'A comment that does not exist has no feed: one check answers both, the other is for the types.',
  },
  { file: `${MODULES}/analytics/access.ts`, whats: ["never: role === 'admin'"], why: HOLDS_ALL },
]
