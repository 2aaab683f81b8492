import type { Node } from './schemas.ts'

export const DESCRIPTION = `
The API of a Lyceum community: spaces, feeds, comments, reactions, members, courses and administration.
Request and response bodies are JSON. A feed is a post.

## Authentication
Clients use HTTP Basic authentication with the username (or email address) and an **application password**, created with
\`POST /account/application-passwords\`. The account password is not accepted. Browsers sign in with \`POST /auth/login\` and get a session
cookie; every request other than \`GET\` then also requires the header \`X-Lyceum-Nonce\` with the value from \`GET /auth/session\`.

## Values
Ids and counts are integers. Times are \`YYYY-MM-DD HH:MM:SS\` in UTC; requests can also use \`YYYY-MM-DDTHH:MM:SS\`.
Unknown query parameters and unknown fields of a body are ignored; the header \`X-Lyceum-Unknown-Fields\` of the response names the fields,
separated by commas and percent-encoded. With the header \`Prefer: handling=strict\`, a body with unknown fields is rejected with 400
\`invalid_data\`; other responses then have \`Preference-Applied: handling=strict\`. A body without any known field is rejected with 400 \`invalid_data\`,
and \`data.errors\` lists its fields; an empty body is accepted. Objects that the caller cannot see return the same error as objects that do
not exist.

These rules apply to all bodies and queries:

| Value | Interpretation |
|---|---|
| a query parameter without a value, \`?space=\` | absent; only an empty \`per_page\` is rejected |
| \`null\` in an optional field that is not nullable | absent |
| \`null\` in a nullable field | as described for the field: none, or remove the value |
| \`""\` in an optional number, boolean, list, object, datetime or enumeration | absent; in a text it is the empty text |
| \`[]\` in an optional object | absent |
| \`"7"\` in a number | 7 |
| \`"1"\`, \`"true"\`, 1 and \`"0"\`, \`"false"\`, 0 in a boolean | true and false |

Fields of \`meta\` and other free-form data are stored as sent.

## Pagination
Lists accept \`page\` and \`per_page\`. A \`per_page\` above its maximum is reduced to it. A page after the last one is empty and contains the
actual total. The header \`Link\` (RFC 8288) contains the absolute URLs of the \`first\`, \`prev\`, \`next\` and \`last\` page with the same
filters; after a \`cursor\` only those of the \`first\` and \`next\` one.

## Errors
\`{"code": "feed_not_found", "message": "…", "data": {"status": 404}}\`: use \`code\` in programs and show \`message\` to people.
\`data.field\` names the invalid parameter or field; \`data.errors\` contains a message for each invalid field. With the header
\`Accept: application/problem+json\`, errors have the format of RFC 9457.

## Idempotency
A \`POST\` with the header \`Idempotency-Key\` can be repeated within 24 hours: it returns the first response and changes nothing.
The same key with a different body is rejected with 422. Responses that contain a secret (sign-in, new application passwords and webhooks)
are not stored; repeating such a request is rejected with 409.

## Caching
Responses to \`GET\` have an \`ETag\`. A request with this value in \`If-None-Match\` returns 304 without a body if nothing has changed.
Large responses are compressed for clients that send \`Accept-Encoding\`.

## Cross-origin requests
Pages of other origins can use the API if the operator lists their origin in \`LYCEUM_CORS_ORIGINS\`. They authenticate with
\`Authorization\`: cookies are not accepted from other origins.

## Limits
100 requests per minute for each IP address without credentials, 1000 for each account and no limit for administrators. The headers
\`X-RateLimit-Limit\`, \`X-RateLimit-Remaining\` and \`X-RateLimit-Reset\` contain the current state; a 429 response has \`Retry-After\`.
A body can have up to 256 KB. Clients that cannot send \`PUT\`, \`PATCH\` or \`DELETE\` can use \`POST\` with \`X-HTTP-Method-Override\`.
`.trim()

/** The guides of a release on the documentation site, which has them once for all patches of a minor version. */
export const guidesOf = (release: string): Node => ({
  description: 'API guides',
  url: `https://lyceum-community.github.io/lyceum/${release.split('.', 2).join('.')}/api/index.html`,
})

/** Tags by section of the reference, with their descriptions. */
const TAG_GROUPS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Accounts: {
    auth: 'Registration, sign-in and browser sessions.',
    account: 'The own account: password, email address, username and application passwords.',
    privacy: 'Data exports and deletion of accounts.',
    profiles: 'Public profiles of members.',
  },
  Content: {
    feeds: 'Feeds (posts): create, read, search, update and pin them.',
    comments: 'Comments on feeds and replies to them.',
    reactions: 'Reactions to feeds and comments, and adding bookmarks.',
    bookmarks: 'Feeds that the caller has bookmarked.',
    surveys: 'Votes in surveys of feeds.',
    topics: 'Topics of feeds.',
    scheduledPosts: 'Feeds that are published at a set time.',
    media: 'Uploaded files and link previews.',
    gif: 'Search for GIFs.',
    links: 'Links that are shown beside the feeds.',
  },
  Spaces: {
    spaces: 'Spaces: groups with members and content of their own.',
    spaceMembers: 'Members of a space: join, invite, approve and ban.',
    spaceGroups: 'Groups of spaces in the navigation.',
  },
  Courses: {
    courses: 'Courses and enrollment.',
    lessons: 'Lessons of a course.',
    quizzes: 'Quiz attempts of the caller.',
    progress: 'Completion of lessons and courses.',
    certificates: 'Verification of certificates.',
    adminCourses: 'Students and lock screens, for those who manage a course.',
    courseSections: 'Sections of a course, for those who manage it.',
    courseCopies: 'Copies of courses and sections.',
    adminLessons: 'Lessons of a course, for those who manage it.',
    adminQuizzes: 'Quiz results and grading, for those who manage a course.',
  },
  Community: {
    members: 'The member directory.',
    followers: 'Followers, followed members and follow requests.',
    activities: 'Histories of the community, members and spaces.',
    notifications: 'Notifications of the caller and their preferences.',
    push: 'Push subscriptions of browsers.',
    batch: 'Several requests in one.',
    stream: 'Events in real time, as Server-Sent Events.',
    leaderboard: 'Members by points.',
  },
  Administration: {
    registrations: 'Registrations that wait for approval.',
    managers: 'Roles and permissions of managers.',
    moderation: 'Reports, queued content and moderation settings.',
    adminTopics: 'Management of topics.',
    leaderboardLevels: 'Levels of the leaderboard and points.',
    analytics: 'Statistics of the community.',
    settings: 'Settings by key and feature flags.',
    settingsPages: 'Settings by page of the administration.',
    migrations: 'Imports of communities from other platforms.',
    webhooks: 'Webhooks: events that are sent to other systems.',
    backups: 'Backups, and whether they were proven.',
    audit: 'The audit log and failed sign-ins.',
  },
}
const TAGS: Readonly<Record<string, string>> = Object.assign({}, ...Object.values(TAG_GROUPS))

const words = (group: string) => group.replace(/([A-Z])/g, ' $1').toLowerCase()
const titleOf = (group: string) => words(group).replace(/^./, (letter) => letter.toUpperCase())

export const tagOf = (group: string): Node => ({
  name: group,
  'x-displayName': titleOf(group),
  ...(Object.hasOwn(TAGS, group) ? { description: TAGS[group] } : {}),
})

/** The sections of the reference, with the tags that the document has. */
export const tagGroupsOf = (groups: readonly string[]): Node[] =>
  Object.entries(TAG_GROUPS).flatMap(([name, tags]) => {
    const present = Object.keys(tags).filter((tag) => groups.includes(tag))
    return present.length > 0 ? [{ name, tags: present }] : []
  })

/** The server of the document: the API root if it is a URL; otherwise a template, since the host is not known. */
export const serverOf = (root: string): Node =>
  root.startsWith('/')
    ? {
        url: `https://{host}${root}`,
        description: 'Your community',
        variables: { host: { default: 'community.example', description: 'Host of the community' } },
      }
    : { url: root }

export const SECURITY_SCHEMES: Node = {
  basic: { type: 'http', scheme: 'basic', description: 'Username (or email address) and an application password.' },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: 'lyceum_session',
    description: 'The session cookie of a browser, from `POST /auth/login`. With https its name is `__Host-lyceum_session`.',
  },
  nonce: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Lyceum-Nonce',
    description: 'Required with the session cookie for every request other than `GET`; from `GET /auth/session`.',
  },
}

const header = (description: string, schema: Node): Node => ({ description, schema })
const whole = { type: 'integer', minimum: 0 }

export const HEADERS: Node = {
  'X-RateLimit-Limit': header('Requests allowed in this minute.', whole),
  'X-RateLimit-Remaining': header('Requests left in this minute.', whole),
  'X-RateLimit-Reset': header('Start of the next minute, as Unix time.', whole),
  'X-Request-Id': header('Id of the request in the server log; an id sent by the client is kept.', {
    type: 'string',
    maxLength: 64,
  }),
  'Retry-After': header('Seconds to wait.', whole),
  'WWW-Authenticate': header('Accepted authentication scheme.', { type: 'string', examples: ['Basic realm="Lyceum"'] }),
  ETag: header('Version of the response, for `If-None-Match`.', {
    type: 'string',
    examples: ['W/"0bVhRRVqUHSEK9NlvHYdPg"'],
  }),
  Link: header('URLs of the first, previous, next and last page (RFC 8288).', {
    type: 'string',
    examples: ['<https://community.example/api/v2/feeds?page=1>; rel="first", <https://community.example/api/v2/feeds?page=3>; rel="last"'],
  }),
  'X-Lyceum-Unknown-Fields': header('Fields of the body that the operation does not have, separated by commas.', {
    type: 'string',
    examples: ['mesage, meta.servey'],
  }),
  'Idempotency-Replayed': header('Present if the response is the stored one of an earlier request.', { type: 'string', const: 'true' }),
}

export const PARAMETERS: Node = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description: 'Makes the request idempotent: within 24 hours, a repeated request returns the first response.',
    schema: { type: 'string', pattern: '^[\\x21-\\x7e]{1,255}$' },
  },
}

export const ERROR_SCHEMA: Node = {
  type: 'object',
  description: 'The response of every failed request.',
  required: ['code', 'message', 'data'],
  properties: {
    code: { type: 'string', description: 'Stable error code, for programs.' },
    message: { type: 'string', description: 'Message for people.' },
    data: {
      type: 'object',
      description: 'Details of the error.',
      required: ['status'],
      properties: {
        status: { type: 'integer', description: 'HTTP status.' },
        field: { type: 'string', description: 'The invalid parameter or field.' },
        errors: { type: 'object', additionalProperties: { type: 'string' }, description: 'Message for each invalid field.' },
        retry_after: { type: 'integer', description: 'Seconds to wait.' },
        request_id: { type: 'string', description: 'Id of the request, for bug reports.' },
      },
    },
  },
}
