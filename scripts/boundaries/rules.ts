/** `to` is a path in the repository, or the name of a package or built-in module. */
export type Import = { from: string; to: string; specifier: string; external: boolean; typeOnly: boolean; line: number }

type Rule = { name: string; why: string; forbids: (link: Import) => boolean }

export const isTest = (path: string) =>
  /\.test\.tsx?$|^packages\/(?:harnesses|[^/]+\/test(?:-support)?)\/|^bench\/|^e2e\/|^scripts\//.test(path)
const packageOf = (path: string) => /^packages\/([^/]+)\//.exec(path)?.[1]
const moduleOf = (path: string) => /^packages\/server\/src\/modules\/([^/]+)\//.exec(path)?.[1]
/** All folders of the server except modules and command line. */
const isInfrastructure = (path: string) => /^packages\/server\/src\/(?!modules\/|cli\/)[^/]+\//.test(path)
const isIn = (path: string, ...folders: string[]) => folders.some((folder) => path.startsWith(`packages/server/src/${folder}`))

/** Production code of a package that imports another package of the repository. */
const reaches = (link: Import, from: string) =>
  !isTest(link.from) && !link.external && packageOf(link.from) === from && packageOf(link.to) !== from

const NETWORK = /^(node:)?(http|https|http2|net|tls|dgram)$|^undici$/
const DRIVERS = ['better-sqlite3', 'pg']

export const RULES: Rule[] = [
  { name: 'contract-alone', why: 'the contract imports no other package of the tree', forbids: (link) => reaches(link, 'contract') },
  {
    name: 'sdk-contract-only',
    why: 'the client knows the contract and nothing else',
    forbids: (link) => reaches(link, 'sdk') && packageOf(link.to) !== 'contract',
  },
  { name: 'content-alone', why: 'rendering knows nothing of the community', forbids: (link) => reaches(link, 'content') },
  {
    name: 'mail-content-only',
    why: 'mail knows the rendering of texts and nothing else',
    forbids: (link) => reaches(link, 'mail') && packageOf(link.to) !== 'content',
  },
  {
    name: 'importers-contract-only',
    why: 'the file formats know the contract and nothing else',
    forbids: (link) => reaches(link, 'importers') && packageOf(link.to) !== 'contract',
  },
  {
    name: 'importers-for-transfer',
    why: 'imports and exports load the file formats; the server itself needs none of them',
    forbids: (link) => packageOf(link.to) === 'importers' && reaches(link, 'server'),
  },
  {
    name: 'transfer-for-its-commands',
    why: 'commands load the code of imports, exports, backups and moves when they run; nothing else needs it',
    forbids: (link) =>
      packageOf(link.to) === 'transfer' &&
      reaches(link, 'server') &&
      !/^packages\/server\/src\/cli\/(?:backup|before-upgrade|course|export|import|move)\.ts$/.test(link.from),
  },
  {
    name: 'compat-by-operations',
    why: 'the API for other clients calls operations of the contract and knows nothing else',
    forbids: (link) => reaches(link, 'compat') && packageOf(link.to) !== 'contract',
  },
  {
    name: 'compat-when-it-is-on',
    why: 'app.ts loads the API for other clients if it is configured; nothing else needs it',
    forbids: (link) => packageOf(link.to) === 'compat' && reaches(link, 'server') && link.from !== 'packages/server/src/app.ts',
  },
  {
    name: 'telemetry-when-it-is-on',
    why: 'app.ts loads the tracing if a collector is configured; nothing else needs it',
    forbids: (link) => packageOf(link.to) === 'telemetry' && reaches(link, 'server') && link.from !== 'packages/server/src/app.ts',
  },
  { name: 'telemetry-alone', why: 'tracing knows nothing of the community', forbids: (link) => reaches(link, 'telemetry') },
  {
    name: 'demo-for-its-command',
    why: 'cli/demo.ts loads the demo when the command runs; nothing else needs it',
    forbids: (link) => packageOf(link.to) === 'demo' && reaches(link, 'server') && link.from !== 'packages/server/src/cli/demo.ts',
  },
  {
    name: 'web-sdk-only',
    why: 'the web app knows the client and nothing else',
    forbids: (link) => link.from.startsWith('packages/web/src/') && reaches(link, 'web') && packageOf(link.to) !== 'sdk',
  },
  {
    name: 'infrastructure-below-modules',
    why: 'shared infrastructure imports no module and no command',
    forbids: (link) => !isTest(link.from) && isInfrastructure(link.from) && isIn(link.to, 'modules/', 'cli/'),
  },
  {
    name: 'module-door',
    why: 'a module is imported through its index.ts, or a view.ts, which only shapes rows',
    forbids: (link) => {
      const [from, to] = [moduleOf(link.from), moduleOf(link.to)]
      if (from === undefined || to === undefined || from === to) return false
      const path = link.to.slice(`packages/server/src/modules/${to}/`.length)
      return path !== 'index.ts' && !/^(?:[^/]+\/)?view\.ts$/.test(path) && !(isTest(link.from) && path === 'module.ts')
    },
  },
  {
    name: 'drivers-in-db',
    why: 'only db talks to a database driver, and the bulk load of the demo and the sources of imports',
    forbids: (link) =>
      DRIVERS.includes(link.to) &&
      !isTest(link.from) &&
      !isIn(link.from, 'db/') &&
      !link.from.startsWith('packages/demo/src/bulk-load/') &&
      !link.from.startsWith('packages/importers/src/staging/'),
  },
  {
    name: 'network-in-outbound',
    why: 'connections are opened by outbound/ and accepted by http/ only',
    forbids: (link) =>
      NETWORK.test(link.to) && !link.typeOnly && !isTest(link.from) && isIn(link.from, '') && !isIn(link.from, 'outbound/', 'http/'),
  },
  {
    name: 'no-harness-in-server',
    why: 'the tests of the server share code through test-support; harnesses are at the top',
    forbids: (link) => packageOf(link.to) === 'harnesses' && packageOf(link.from) !== undefined && packageOf(link.from) !== 'harnesses',
  },
  {
    name: 'no-tests-in-production',
    why: 'production code imports no test',
    forbids: (link) => !link.external && !isTest(link.from) && isTest(link.to),
  },
]

/** Signs of database-specific code. */
const DIALECT = /(?:[!=]==?|\bcase)\s*['"`](?:sqlite|postgres(?:ql)?)['"`]|\bdialectOf\b|\.dialect\b/

export const knowsDialect = (file: string, text: string) => !isTest(file) && isIn(file, '') && !isIn(file, 'db/') && DIALECT.test(text)
