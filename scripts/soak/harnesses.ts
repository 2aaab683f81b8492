/** One harness: test files that run for much longer than in `npm run test:full`, and tell figures. */
export interface Harness {
  readonly name: string
  /** What it shows, for the page of evidence. */
  readonly shows: string
  /** Paths of test files, or beginnings of them. */
  readonly files: readonly string[]
  /** Projects of vitest: `unit` and `browser` run once, the others are databases. */
  readonly on: readonly ('unit' | 'sqlite' | 'postgres' | 'browser')[]
  /** How many times over what proves more the more often it is done. */
  readonly times: number
}

const BOTH = ['sqlite', 'postgres'] as const
const ROOT = 'packages/harnesses'

export const HARNESSES: readonly Harness[] = [
  {
    name: 'cost-by-shape',
    shows:
      'No text that anybody can send, whatever its shape, holds the event loop for 50 ms in any parser or serialiser, or grows more than fourfold',
    files: [`${ROOT}/cost-by-shape/`],
    on: ['unit', 'sqlite'],
    times: 50,
  },
  {
    name: 'account-life',
    shows: 'Whatever happens to an account ends the credentials that the table names, and no other one',
    files: [`${ROOT}/account-life/`],
    on: BOTH,
    times: 20,
  },
  {
    name: 'crash',
    shows: 'A server that is killed under 64 writers loses and doubles nothing that it acknowledged, and serves again in seconds',
    files: [`${ROOT}/crash/crash.test.ts`],
    on: BOTH,
    times: 67,
  },
  {
    name: 'credentials',
    shows:
      'Every operation answers everybody as the table of rights has it, whatever shows who he is; a cookie without its nonce changes nothing',
    files: [`${ROOT}/permissions/credentials.test.ts`],
    on: BOTH,
    times: 4,
  },
  {
    name: 'data-leak-crawl',
    shows: 'No GET and no stream tells anybody a text, a name or a count that they may not know; what is hidden answers as what is missing',
    files: [`${ROOT}/data-leak-crawl/`],
    on: BOTH,
    times: 2,
  },
  {
    name: 'differential',
    shows: 'The same requests get the same answers, byte for byte, on SQLite and on PostgreSQL, and leave the same rows',
    files: [`${ROOT}/differential/differential.test.ts`],
    on: ['postgres'],
    times: 50,
  },
  {
    name: 'fuzz',
    shows:
      'No generated request, valid or spoilt, and no sequence of them is answered with a fault of the server, off the description of the API, or after more than a second',
    files: [`${ROOT}/fuzz/`],
    on: BOTH,
    times: 500,
  },
  {
    name: 'malformed-http',
    shows:
      'Whatever bytes come over a connection are answered, refused or cut within a second, and nothing in them is taken for another request',
    files: [`${ROOT}/malformed-http/`],
    on: BOTH,
    times: 2,
  },
  {
    name: 'editor',
    shows: 'What the editor shows is what is published, for any text that is typed, any document, and any Markdown that is edited again',
    files: ['packages/web/test/markdown/'],
    on: ['unit'],
    times: 100,
  },
  {
    name: 'io-faults',
    shows: 'A disk that is full, fails, or loses power costs nothing that was acknowledged; writes are refused, and reads go on',
    files: [`${ROOT}/io-faults/`],
    on: BOTH,
    times: 30,
  },
  {
    name: 'cache-coherence',
    shows:
      'Whatever is written, in whatever order: nothing that a server keeps in memory, lists, texts, totals or rights, differs from what is read anew',
    files: [`${ROOT}/cache-coherence/coherence.test.ts`],
    on: BOTH,
    times: 100,
  },
  {
    name: 'journeys',
    shows: 'What members and those who run a community do in the web app works on a desktop and on a phone',
    files: ['e2e/'],
    on: ['browser'],
    times: 2,
  },
  {
    name: 'kill-points',
    shows: 'Restore, backup, move and import of courses that are killed leave all or nothing on the disk, and run again',
    files: [`${ROOT}/kill-points/kill-points.test.ts`],
    on: BOTH,
    times: 10,
  },
  {
    name: 'load',
    shows:
      'An even load for an hour leaves no error and no growth; five times too much, thousands of slow and of idle clients hold up nobody for long',
    files: [`${ROOT}/load/load.test.ts`],
    on: BOTH,
    times: 720,
  },
  {
    name: 'model-based',
    shows:
      'The server says and shows what a model of the rules gives, and what it answers to many at once is what some order of them gives',
    files: [`${ROOT}/model-based/model.test.ts`],
    on: BOTH,
    times: 84,
  },
  {
    name: 'mutation',
    shows: 'What is changed of the code that decides who may do what is noticed by the tests',
    files: [`${ROOT}/mutation/mutation.unit.test.ts`],
    on: ['unit'],
    times: 200,
  },
  {
    name: 'dependency-outages',
    shows:
      'PostgreSQL may be restarted, cut off or without connections, and Redis be ill in any way: nothing acknowledged is lost, nobody keeps a right, and all goes on by itself',
    files: [`${ROOT}/dependency-outages/`],
    on: ['postgres'],
    times: 10,
  },
  {
    name: 'object-permissions',
    shows:
      'Every operation on every kind of object, in every place and state, is open to whom the description of the API opens it, and to nobody else',
    files: [`${ROOT}/object-permissions/objects.test.ts`],
    on: BOTH,
    times: 22,
  },
  {
    name: 'lifecycle',
    shows:
      'Stops, restarts of several, backups, upgrades and wrong clocks cost nobody a request, and nothing that was acknowledged is lost or done twice',
    files: [`${ROOT}/lifecycle/`],
    on: BOTH,
    times: 34,
  },
  {
    name: 'permission-effects',
    shows:
      'No permission makes the mails, push messages, webhooks, pages or answers that others receive load, run or forge anything, or tells its holder what a GET refuses',
    files: [`${ROOT}/permission-effects/`],
    on: BOTH,
    times: 14,
  },
  {
    name: 'ssrf',
    shows:
      'No spelling of an address, no redirect and no name server makes the server connect to where it must not, by any way that leads out',
    files: [`${ROOT}/ssrf/outgoing.test.ts`, `${ROOT}/ssrf/fields.test.ts`],
    on: BOTH,
    times: 2,
  },
  {
    name: 'hostile-third-parties',
    shows:
      'Receivers, providers and stores that hang, drip, lie or pour hold up nobody, learn nothing, and what they refused reaches them once they work',
    files: [
      `${ROOT}/hostile-third-parties/webhooks.test.ts`,
      `${ROOT}/hostile-third-parties/peers.test.ts`,
      `${ROOT}/hostile-third-parties/store.test.ts`,
    ],
    on: BOTH,
    times: 2,
  },
  {
    name: 'permissions',
    shows: 'Every operation answers everybody, for each permission and its reach, as the table of rights has it',
    files: ['conversation', 'feeds', 'cached-rights', 'last-admin', 'learning', 'lists', 'people', 'power', 'running', 'spaces'].map(
      (name) => `${ROOT}/permissions/${name}.test.ts`,
    ),
    on: BOTH,
    times: 2,
  },
  {
    name: 'redos',
    shows: 'No regular expression of the server or the contract takes much longer for a long text than the text is longer',
    files: [`${ROOT}/redos/`],
    on: ['unit'],
    times: 5,
  },
  {
    name: 'resources',
    shows:
      'A thousand connections that do not read cost bounded memory; floods of registrations, sign-ins, uploads, searches and streams keep nobody else waiting',
    files: [`${ROOT}/resources/`],
    on: BOTH,
    times: 2,
  },
  {
    name: 'xss',
    shows: 'No text that somebody can enter runs in a browser, in whatever format and wherever it is shown, with a policy or without',
    files: [`${ROOT}/xss/`],
    on: ['unit', 'sqlite'],
    times: 50,
  },
]
