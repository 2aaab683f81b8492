/** A harness: test files that run longer than in `npm run test:full` and report results. */
export interface Harness {
  readonly name: string
  /** What it verifies, for docs/evidence.md. */
  readonly shows: string
  /** Paths of test files or their prefixes. */
  readonly files: readonly string[]
  /** Projects of vitest: `unit` and `browser` run once, the others are databases. */
  readonly on: readonly ('unit' | 'sqlite' | 'postgres' | 'browser')[]
  /** Factor for the number of repetitions. */
  readonly times: number
}

const BOTH = ['sqlite', 'postgres'] as const
const ROOT = 'packages/harnesses'

export const HARNESSES: readonly Harness[] = [
  {
    name: 'cost-by-shape',
    shows: 'No input text blocks the event loop for 50 ms in a parser or serializer, or grows more than fourfold',
    files: [`${ROOT}/cost-by-shape/`],
    on: ['unit', 'sqlite'],
    times: 50,
  },
  {
    name: 'account-life',
    shows: 'Every account event revokes exactly the credentials in the table',
    files: [`${ROOT}/account-life/`],
    on: BOTH,
    times: 20,
  },
  {
    name: 'crash',
    shows: 'A server killed under 64 writers neither loses nor duplicates acknowledged writes, and serves again within seconds',
    files: [`${ROOT}/crash/crash.test.ts`],
    on: BOTH,
    times: 67,
  },
  {
    name: 'credentials',
    shows: 'Every operation follows the permission table for every kind of credential; a session cookie without its nonce changes nothing',
    files: [`${ROOT}/permissions/credentials.test.ts`],
    on: BOTH,
    times: 4,
  },
  {
    name: 'data-leak-crawl',
    shows: 'No GET and no stream reveals a text, a name or a count to unauthorized readers; hidden objects respond like missing ones',
    files: [`${ROOT}/data-leak-crawl/`],
    on: BOTH,
    times: 2,
  },
  {
    name: 'differential',
    shows: 'The same requests get byte-identical responses on SQLite and PostgreSQL, and leave the same rows',
    files: [`${ROOT}/differential/differential.test.ts`],
    on: ['postgres'],
    times: 50,
  },
  {
    name: 'fuzz',
    shows:
      'No generated request or sequence of requests, valid or not, causes a server error, a response that violates the API document, or takes longer than a second',
    files: [`${ROOT}/fuzz/`],
    on: BOTH,
    times: 500,
  },
  {
    name: 'malformed-http',
    shows: 'Any bytes on a connection get a response, an error or a disconnect within one second, and are never parsed as another request',
    files: [`${ROOT}/malformed-http/`],
    on: BOTH,
    times: 2,
  },
  {
    name: 'editor',
    shows: 'The editor shows what is published, for typed texts, opened documents and edited Markdown',
    files: ['packages/web/test/markdown/'],
    on: ['unit'],
    times: 100,
  },
  {
    name: 'io-faults',
    shows: 'A full or failing disk or a power loss loses no acknowledged write; writes are rejected and reads continue',
    files: [`${ROOT}/io-faults/`],
    on: BOTH,
    times: 30,
  },
  {
    name: 'cache-coherence',
    shows: 'After any sequence of writes, cached lists, texts, totals and permissions equal those read from the database',
    files: [`${ROOT}/cache-coherence/coherence.test.ts`],
    on: BOTH,
    times: 20,
  },
  {
    name: 'journeys',
    shows: 'The journeys of members and administrators in the web app work on desktop and phone',
    files: ['e2e/'],
    on: ['browser'],
    times: 2,
  },
  {
    name: 'kill-points',
    shows:
      'Killed restore, backup, move and course import commands leave a complete result or none, and can be repeated; a killed import continues where it was',
    files: [`${ROOT}/kill-points`],
    on: BOTH,
    times: 10,
  },
  {
    name: 'load',
    shows:
      'An hour of even load causes no errors and no growth; fivefold overload and thousands of slow or idle clients do not block others for long',
    files: [`${ROOT}/load/load.test.ts`],
    on: BOTH,
    times: 720,
  },
  {
    name: 'model-based',
    shows: 'Responses match a model of the domain rules, and responses to concurrent requests match some sequential order',
    files: [`${ROOT}/model-based/model-based.test.ts`],
    on: BOTH,
    times: 84,
  },
  {
    name: 'mutation',
    shows: 'The tests detect changes of the authorization code',
    files: [`${ROOT}/mutation/mutation.unit.test.ts`],
    on: ['unit'],
    times: 200,
  },
  {
    name: 'dependency-outages',
    shows:
      'Restarts and outages of PostgreSQL and failures of Redis lose no acknowledged write, preserve no revoked permission, and recover automatically',
    files: [`${ROOT}/dependency-outages/`],
    on: ['postgres'],
    times: 10,
  },
  {
    name: 'object-permissions',
    shows:
      'Every operation on every kind of object, in every place and state, is allowed exactly for those for whom the API document allows it',
    files: [`${ROOT}/object-permissions/object-permissions.test.ts`],
    on: BOTH,
    times: 22,
  },
  {
    name: 'lifecycle',
    shows: 'Stops, rolling restarts, backups, upgrades and wrong clocks fail no request, and lose or repeat no acknowledged write',
    files: [`${ROOT}/lifecycle/`],
    on: BOTH,
    times: 34,
  },
  {
    name: 'permission-effects',
    shows:
      'No permission allows its holder to inject content into emails, push messages, webhooks, pages or responses, or reveals what a GET denies',
    files: [`${ROOT}/permission-effects/`],
    on: BOTH,
    times: 14,
  },
  {
    name: 'ssrf',
    shows:
      'No URL notation, redirect or DNS response makes the server connect to a forbidden address, in any feature with outgoing requests',
    files: [`${ROOT}/ssrf/ssrf.test.ts`, `${ROOT}/ssrf/fields.test.ts`],
    on: BOTH,
    times: 2,
  },
  {
    name: 'hostile-third-parties',
    shows:
      'External servers that hang, respond slowly, lie or flood block nobody and learn no secret, and failed deliveries reach them once they work',
    files: [
      `${ROOT}/hostile-third-parties/webhooks.test.ts`,
      `${ROOT}/hostile-third-parties/hostile-third-parties.test.ts`,
      `${ROOT}/hostile-third-parties/store.test.ts`,
    ],
    on: BOTH,
    times: 2,
  },
  {
    name: 'permissions',
    shows: 'Every operation follows the permission table, for each permission and its scope',
    files: ['conversation', 'feeds', 'cached-rights', 'last-admin', 'learning', 'lists', 'people', 'power', 'running', 'spaces'].map(
      (name) => `${ROOT}/permissions/${name}.test.ts`,
    ),
    on: BOTH,
    times: 2,
  },
  {
    name: 'redos',
    shows: 'The run time of every regular expression of server and contract is linear in the length of the text',
    files: [`${ROOT}/redos/`],
    on: ['unit'],
    times: 5,
  },
  {
    name: 'resources',
    shows:
      'A thousand connections that do not read use bounded memory; floods of registrations, sign-ins, uploads, searches and streams do not delay others',
    files: [`${ROOT}/resources/`],
    on: BOTH,
    times: 2,
  },
  {
    name: 'xss',
    shows: 'No input text executes in a browser, in any format and place, with or without a content security policy',
    files: [`${ROOT}/xss/`],
    on: ['unit', 'sqlite'],
    times: 50,
  },
]
