import type { Node } from './schemas.ts'

export const DESCRIPTION = `
The interface of a Lyceum community: spaces and feeds, comments and reactions, members, courses, and what it takes to run it all.
Every request and every answer is JSON.

## Signing in
Programs send HTTP Basic: the username (or e-mail address) and an **application password**, made with \`POST /account/application-passwords\`.
The account's own password does not work there. A browser signs in with \`POST /auth/login\` and gets a session cookie; whatever is not a \`GET\`
then also needs the header \`X-Lyceum-Nonce\`, whose value \`GET /auth/session\` gives.

## Values
Ids and counts are integers. A point in time goes out as \`YYYY-MM-DD HH:MM:SS\`, always in UTC; \`YYYY-MM-DDTHH:MM:SS\` is accepted as well.
Query parameters that are not declared are ignored, and so are members of a body beside declared ones. A body of which no member is declared
is refused with 400 \`invalid_data\`, whose \`data.errors\` names the members; an empty body is not. What the caller may not see answers exactly as what does not exist.

These hold for every body and every query:

| Sent | Understood as |
|---|---|
| a query parameter without a value, \`?space=\` | not sent; only an empty \`per_page\` is refused |
| \`null\` in an optional field whose type has no null | not sent |
| \`null\` in a field whose type has null | what the field says of it: none, or taken away |
| \`""\` in an optional field that is a number, a switch, a list, an object, a datetime or one word of a list | not sent; in a free text it is the empty text |
| \`[]\` in an optional field that is an object | not sent |
| \`"7"\` where a number is declared | 7 |
| \`"1"\`, \`"true"\`, 1 and \`"0"\`, \`"false"\`, 0 in a switch | true and false |

Members of \`meta\` and of other free data are kept as they are sent.

## Pages
Lists take \`page\` and \`per_page\`. A \`per_page\` above its maximum is cut to it, and a page past the end is empty with the true total.

## Errors
\`{"code": "feed_not_found", "message": "There is no such feed.", "data": {"status": 404}}\`: rely on \`code\`, show \`message\`.
\`data.field\` names a parameter or field, \`data.errors\` holds a text a field. With \`Accept: application/problem+json\` errors arrive as RFC 9457 describes.

## Sending again
A \`POST\` with the header \`Idempotency-Key\` may be sent again within 24 hours: it gets the first answer and changes nothing.
The same key with another body is refused with 422. Answers that hold a secret (sign-in, new application passwords and webhooks) are not stored:
the same request sent again is refused with 409.

## Asking again
Answers to a \`GET\` carry an \`ETag\`. Sent back in \`If-None-Match\` it is answered with 304 and no body while nothing changed. Larger answers are
packed for clients that send \`Accept-Encoding\`.

## Limits
100 requests a minute for each address without credentials, 1000 for each account, none for administrators. Every answer says in
\`X-RateLimit-Limit\`, \`X-RateLimit-Remaining\` and \`X-RateLimit-Reset\` how it stands, and a 429 says in \`Retry-After\` when to come back.
A body may have 256 KB. Clients that cannot send \`PUT\`, \`PATCH\` or \`DELETE\` send \`POST\` with \`X-HTTP-Method-Override\`.
`.trim()

/** A sentence for groups whose name does not say enough. */
const GROUPS: Readonly<Record<string, string>> = {
  account: 'The caller’s own account and application passwords.',
  activities: 'What happened in the community.',
  auth: 'Registration, sign-in and sessions of browsers.',
  bookmarks: 'Feeds that the caller keeps at hand.',
  comments: 'Comments on feeds, and replies to them.',
  feeds: 'Posts: publish, read, find, change and pin them.',
  links: 'Links that are shown beside the feed.',
  media: 'Files: upload them, refer to them, and see what an address leads to.',
  profiles: 'People as others see them.',
  reactions: 'Six ways to react to feeds and comments; bookmarks are set here too.',
  settings: 'How the community is set up.',
  spaceGroups: 'Groups that order the spaces in the navigation.',
  spaceMembers: 'Who is in a space: join, invite, approve, ban.',
  spaces: 'Places with members of their own: public, private or secret.',
  stream: 'What happens, told while it happens.',
  surveys: 'Votes on feeds that carry a survey.',
}

const words = (group: string) => group.replace(/([A-Z])/g, ' $1').toLowerCase()
const titleOf = (group: string) => words(group).replace(/^./, (letter) => letter.toUpperCase())

export const tagOf = (group: string): Node => ({
  name: group,
  'x-displayName': titleOf(group),
  ...(Object.hasOwn(GROUPS, group) ? { description: GROUPS[group] } : {}),
})

export const SECURITY_SCHEMES: Node = {
  basic: { type: 'http', scheme: 'basic', description: 'Username (or e-mail address) and an application password' },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: 'lyceum_session',
    description: 'The session of a browser, from `POST /auth/login`; behind https the cookie is called `__Host-lyceum_session`',
  },
  nonce: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Lyceum-Nonce',
    description: 'Goes with the session cookie on everything that is not a `GET`; from `GET /auth/session`',
  },
}

const header = (description: string, schema: Node): Node => ({ description, schema })
const whole = { type: 'integer', minimum: 0 }

export const HEADERS: Node = {
  'X-RateLimit-Limit': header('Requests allowed in this minute', whole),
  'X-RateLimit-Remaining': header('Requests left in this minute', whole),
  'X-RateLimit-Reset': header('When the next minute begins, as Unix time', whole),
  'X-Request-Id': header('Names this request in the log of the server; one that the client sends is kept', {
    type: 'string',
    maxLength: 64,
  }),
  'Retry-After': header('Seconds to wait', whole),
  'WWW-Authenticate': header('How to sign in', { type: 'string', examples: ['Basic realm="Lyceum"'] }),
  ETag: header('Names this answer; sent back as If-None-Match it asks whether the answer is still right', {
    type: 'string',
    examples: ['W/"0bVhRRVqUHSEK9NlvHYdPg"'],
  }),
  'Idempotency-Replayed': header('Present when this is the stored answer of an earlier request', { type: 'string', const: 'true' }),
}

export const PARAMETERS: Node = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description: 'Makes the request safe to send again: within 24 hours the first answer is replayed',
    schema: { type: 'string', pattern: '^[\\x21-\\x7e]{1,255}$' },
  },
}

export const ERROR_SCHEMA: Node = {
  type: 'object',
  description: 'What every refused request answers',
  required: ['code', 'message', 'data'],
  properties: {
    code: { type: 'string', description: 'What a program decides by' },
    message: { type: 'string', description: 'A sentence for people' },
    data: {
      type: 'object',
      required: ['status'],
      properties: {
        status: { type: 'integer', description: 'The HTTP status' },
        field: { type: 'string', description: 'The parameter or body field that is wrong' },
        errors: { type: 'object', additionalProperties: { type: 'string' }, description: 'A text for each wrong body field' },
        retry_after: { type: 'integer', description: 'Seconds to wait' },
        request_id: { type: 'string', description: 'To name in a report of a mistake' },
      },
    },
  },
}
