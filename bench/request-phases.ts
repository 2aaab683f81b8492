/**
 * The phases of a request by code. The first match for the innermost frame counts; without a match, the next outer frame is checked.
 * `where` is a file in the repository, a library, or a Node module; `name` is the function.
 */
const STAGES: readonly (readonly [stage: string, fits: (where: string, name: string) => boolean])[] = [
  ['garbage collection', (_where, name) => name === '(garbage collector)'],
  ['commit and its queue', (where) => where.includes('db/write-queue')],
  ['following changes', (where) => /db\/(changes|code|sqlite\/change-detection|postgres\/change-log)/.test(where)],
  ['statements', (where) => where.includes('server/src/db/') || where.startsWith('kysely') || where.startsWith('better-sqlite3')],
  ['who, rights and limits', (where) => /server\/src\/(auth|limits|secrets)\/|http\/(pipeline\/authenticate-request|overload)/.test(where)],
  ['reading parameters and body', (where) => /http\/requests\//.test(where)],
  [
    'making JSON and tags',
    (where, name) => /cache\/json-fragments|responses\/etag|fast-json-stringify/.test(where) || /^anonymous\d*$/.test(name),
  ],
  ['compressing', (where) => /responses\/compress|node:zlib/.test(where)],
  ['kept in memory', (where) => where.includes('src/cache/')],
  ['rendering and checking texts', (where) => /content\/src\/|modules\/automod\/|markdown-it|sanitize-html|htmlparser2/.test(where)],
  ['jobs and events', (where) => where.includes('src/jobs/')],
  ['metrics and log', (where) => /src\/observability\/|prom-client|pino/.test(where)],
  ['the handler', (where) => /modules\/(feeds|comments|reactions|bookmarks)\//.test(where)],
  ['other modules (listeners, lists)', (where) => where.includes('server/src/modules/')],
  ['endpoint', (where) => where.includes('src/http/')],
  ['routing and hooks (Fastify)', (where) => /^(fastify|find-my-way|avvio|@fastify)/.test(where)],
  [
    'sending',
    (where, name) =>
      /^node:(_http_outgoing|internal\/stream_base_commons|internal\/streams\/writable)/.test(where) || /^writev?/.test(name),
  ],
  [
    'receiving',
    (where, name) => /^node:(_http_server|_http_incoming|_http_common|net|internal\/streams)/.test(where) || name === 'parserOnBody',
  ],
]

const REST = 'event loop and the rest'

/** The phase of a stack, with frames from the innermost. */
export const stageOf = (frames: Iterable<{ readonly where: string; readonly name: string }>): string => {
  for (const { where, name } of frames) {
    const found = STAGES.find(([, fits]) => fits(where, name))
    if (found) return found[0]
  }
  return REST
}
