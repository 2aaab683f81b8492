const MODULES = 'packages/server/src/modules'
const SOURCE = 'packages/server/src'
const HARNESSES = 'packages/harnesses'

const of = (module: string, ...names: readonly string[]): string[] => names.map((name) => `${MODULES}/${module}/${name}.test.ts`)
const GATE = `${SOURCE}/http/pipeline/authenticate-request.test.ts`

/** A file with authorization code and the tests closest to it. */
export interface Target {
  readonly file: string
  /** The functions that authorize, if the file contains other code as well. */
  readonly only?: readonly string[]
  readonly near: readonly string[]
}

export const TARGETS: readonly Target[] = [
  {
    file: `${SOURCE}/auth/authenticate.ts`,
    only: ['may', 'mayAny', 'isStaff', 'isStaffEverywhere', 'staffSpaces'],
    near: [...of('feeds', 'access'), ...of('spaces', 'space-access'), `${HARNESSES}/permissions/lists.test.ts`],
  },
  {
    file: `${SOURCE}/auth/authenticate.ts`,
    only: ['permissionsOf', 'accountRole', 'actorOf', 'actorFor', 'refuseInactive', 'cachedIdentity', 'identify', 'readBasic'],
    near: [GATE, `${SOURCE}/cache/index.test.ts`, ...of('accounts', 'application-passwords', 'roles', 'sign-in')],
  },
  {
    file: `${SOURCE}/http/pipeline/authenticate-request.ts`,
    only: ['createAuthenticator'],
    near: [GATE, ...of('accounts', 'sign-in', 'tries')],
  },
  { file: `${SOURCE}/http/pipeline/endpoint.ts`, only: ['allowed', 'checkAccess'], near: [`${HARNESSES}/permissions/running.test.ts`] },
  { file: `${MODULES}/feeds/access.ts`, near: [...of('feeds', 'access'), ...of('comments', 'access')] },
  {
    file: `${MODULES}/feeds/visible-feed-cache.ts`,
    near: [...of('feeds', 'access', 'shared-answers'), `${HARNESSES}/permissions/cached-rights.test.ts`],
  },
  { file: `${MODULES}/feeds/search/visibility.ts`, near: of('feeds', 'search', 'search/feed-index') },
  {
    file: `${MODULES}/feeds/commands.ts`,
    only: ['forbid', 'assertMayPostOutsideSpaces', 'authorizeHighlights', 'authorize', 'draftForAudience', 'visibleFeed'],
    near: [...of('feeds', 'update', 'create'), ...of('lessons', 'locks')],
  },
  { file: `${MODULES}/comments/access.ts`, near: of('comments', 'access', 'helpful') },
  {
    file: `${MODULES}/comments/commands.ts`,
    only: ['forbid', 'authorize', 'isLocked'],
    near: [...of('comments', 'comments', 'access'), ...of('lessons', 'locks')],
  },
  {
    file: `${MODULES}/reactions/commands.ts`,
    only: ['moderates', 'assertReactionsAllowed', 'removeReaction'],
    near: of('reactions', 'reactions'),
  },
  {
    file: `${MODULES}/spaces/access.ts`,
    near: [
      ...of('spaces', 'space-access', 'space-lists', 'space-members'),
      ...of('members', 'profiles/lists'),
      `${HARNESSES}/vulnerabilities/hidden-objects.test.ts`,
    ],
  },
  { file: `${MODULES}/courses/access.ts`, near: of('courses', 'courses', 'enrolment') },
  { file: `${MODULES}/courses/lesson-access.ts`, near: of('lessons', 'locks', 'lessons') },
  { file: `${MODULES}/quizzes/access.ts`, near: of('quizzes', 'quizzes', 'secrets') },
  { file: `${MODULES}/followers/access.ts`, near: of('followers', 'followers') },
  { file: `${MODULES}/members/profile-access.ts`, near: [...of('members', 'profiles/profiles', 'profiles/lists', 'directory/directory')] },
  {
    file: `${MODULES}/members/directory/account-status.ts`,
    only: ['maySetStatus', 'assertMayActOn', 'lockForStatusChange'],
    near: of('members', 'directory/account-status'),
  },
  {
    file: `${MODULES}/moderation/queries.ts`,
    only: ['mayHandleReport', 'reportScopeOf'],
    near: of('moderation', 'reports', 'queue-decisions', 'decisions'),
  },
  { file: `${MODULES}/media/access.ts`, near: [...of('media', 'files'), `${HARNESSES}/permissions/cached-rights.test.ts`] },
  { file: `${MODULES}/webhooks/access.ts`, near: of('webhooks', 'webhooks') },
  { file: `${MODULES}/analytics/access.ts`, near: of('analytics', 'analytics') },
]

/** Broader tests, run one after the other if the closest ones do not detect a mutant: the permission harnesses and the whole module. */
export const farFrom = ({ file }: Target): readonly (readonly string[])[] => [
  [`${HARNESSES}/object-permissions/`],
  [`${HARNESSES}/permissions/`],
  [file.startsWith(MODULES) ? file.split('/').slice(0, 5).join('/') : `${MODULES}/accounts`],
  [`${HARNESSES}/data-leak-crawl/`, 'packages/server/test/removed-member.test.ts', ...of('notifications', 'access')],
]
