import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { checkBoundaries } from './check.ts'

const server = 'packages/server/src'
const manifests = {
  'package.json': JSON.stringify({ name: 'tree', devDependencies: { vitest: '1' } }),
  'packages/contract/package.json': JSON.stringify({ name: '@lyceum/contract', exports: { '.': './src/index.ts' } }),
  'packages/sdk/package.json': JSON.stringify({ name: '@lyceum/sdk', exports: { '.': './src/index.ts' } }),
  'packages/importers/package.json': JSON.stringify({ name: '@lyceum/importers', exports: { '.': './src/index.ts' } }),
  'packages/transfer/package.json': JSON.stringify({ name: '@lyceum/transfer', exports: { '.': './src/index.ts' } }),
  'packages/demo/package.json': JSON.stringify({ name: '@lyceum/demo', exports: { '.': './src/index.ts' } }),
  'packages/web/package.json': JSON.stringify({ name: '@lyceum/web', exports: './src/index.ts' }),
  'packages/server/package.json': JSON.stringify({
    name: '@lyceum/server',
    dependencies: { pg: '1', fastify: '1' },
    imports: { '#test/*': './test-support/*' },
    exports: { './test-support/*': './test-support/*' },
  }),
  'packages/harnesses/package.json': JSON.stringify({ name: '@lyceum/harnesses', imports: { '#test/*': '@lyceum/server/test-support/*' } }),
}
const blameless = {
  'packages/contract/src/index.ts': `export const a = 1`,
  'packages/importers/src/index.ts': `import { a } from '@lyceum/contract'\nexport const d = a`,
  'packages/transfer/src/index.ts': `import '@lyceum/importers'\nimport '../../server/src/app.ts'`,
  [`${server}/cli/course.ts`]: `export const transfer = () => import('@lyceum/transfer')`,
  'packages/demo/src/index.ts': `import '../../server/src/db/postgres/database.ts'`,
  [`${server}/cli/demo.ts`]: `export const fill = () => import('@lyceum/demo')`,
  'packages/sdk/src/index.ts': `import { a } from '@lyceum/contract'\nexport const b = a`,
  'packages/web/src/index.ts': `import { b } from '@lyceum/sdk'\nexport const c = b`,
  [`${server}/app.ts`]: `import './modules/feeds/routes.ts'\nimport './http/server.ts'`,
  [`${server}/db/postgres/database.ts`]: `import pg from 'pg'\nexport const dialect = (kind: string) => kind === 'postgres' && pg`,
  [`${server}/http/server.ts`]: `import { createServer } from 'node:http'\nimport '../db/postgres/database.ts'\nexport { createServer }`,
  [`${server}/modules/feeds/routes.ts`]: `import type { Server } from 'node:http'\nimport { door } from '../spaces/index.ts'\nexport type S = Server\nexport { door }`,
  [`${server}/modules/feeds/index.ts`]: `export const feeds = 1`,
  [`${server}/modules/spaces/index.ts`]: `export { door } from './queries.ts'`,
  [`${server}/modules/spaces/queries.ts`]: `export const door = 1`,
  [`${server}/modules/spaces/spaces.test.ts`]: `import { test } from 'vitest'\nimport '#test/world.ts'\ntest`,
  'packages/harnesses/fuzz/fuzz.test.ts': `import '#test/world.ts'\nimport '../../server/src/app.ts'`,
  'packages/server/test-support/world.ts': `import pg from 'pg'\nimport '../src/app.ts'\nexport { pg }`,
}

let root = ''
afterEach(() => rmSync(root, { recursive: true, force: true }))

/** The violations that a valid tree has after adding `files`. */
function broken(files: Record<string, string>, leastModules = 3) {
  root = mkdtempSync(join(tmpdir(), 'boundaries-'))
  for (const [path, text] of Object.entries({ ...manifests, ...blameless, ...files })) {
    mkdirSync(join(root, dirname(path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  return checkBoundaries(root, leastModules).violations.map(({ rule, at }) => `${rule} ${at.replace(`${server}/`, '')}`)
}

test('a tree within the boundaries has no violation', () => {
  expect(broken({})).toEqual([])
})

test.each<[string, Record<string, string>]>([
  ['contract-alone packages/contract/src/x.ts:1', { 'packages/contract/src/x.ts': `export { b } from '@lyceum/sdk'` }],
  ['sdk-contract-only packages/sdk/src/x.ts:1', { 'packages/sdk/src/x.ts': `import '../../server/src/app.ts'` }],
  ['content-alone packages/content/src/x.ts:1', { 'packages/content/src/x.ts': `import '@lyceum/contract'` }],
  ['mail-content-only packages/mail/src/x.ts:1', { 'packages/mail/src/x.ts': `import '../../server/src/app.ts'` }],
  ['importers-contract-only packages/importers/src/x.ts:1', { 'packages/importers/src/x.ts': `import '../../server/src/app.ts'` }],
  ['importers-for-transfer x.ts:1', { [`${server}/x.ts`]: `import '../../importers/src/index.ts'` }],
  ['transfer-for-its-commands x.ts:1', { [`${server}/x.ts`]: `import '../../transfer/src/index.ts'` }],
  ['demo-for-its-command x.ts:1', { [`${server}/x.ts`]: `import '../../demo/src/index.ts'` }],
  ['web-sdk-only packages/web/src/x.tsx:2', { 'packages/web/src/x.tsx': `export const x = <p>hi</p>\nimport '@lyceum/contract'` }],
  ['infrastructure-below-modules jobs/x.ts:1', { [`${server}/jobs/x.ts`]: `import '../modules/feeds/index.ts'` }],
  ['infrastructure-below-modules db/x.ts:1', { [`${server}/db/x.ts`]: `export const x = () => import('../modules/feeds/index.ts')` }],
  ['module-door modules/feeds/x.ts:1', { [`${server}/modules/feeds/x.ts`]: `import type { door } from '../spaces/queries.ts'` }],
  ['drivers-in-db modules/feeds/x.ts:1', { [`${server}/modules/feeds/x.ts`]: `import type { Client } from 'pg'` }],
  ['network-in-outbound modules/feeds/x.ts:1', { [`${server}/modules/feeds/x.ts`]: `import { request } from 'https'` }],
  ['no-tests-in-production x.ts:1', { [`${server}/x.ts`]: `import '../test-support/world.ts'` }],
  ['no-tests-in-production y.ts:1', { [`${server}/y.ts`]: `import '#test/world.ts'` }],
  ['no-harness-in-server x.test.ts:1', { [`${server}/x.test.ts`]: `import '../../harnesses/fuzz/fuzz.test.ts'` }],
  ['dialect-in-db x.ts', { [`${server}/x.ts`]: `export const x = (kind: string) => kind !== 'sqlite'` }],
  ['undeclared x.ts:1', { [`${server}/x.ts`]: `import 'vitest'` }],
  ['unresolved x.ts:1', { [`${server}/x.ts`]: `import './nothing.ts'` }],
  ['unresolved x.test.ts:1', { [`${server}/x.test.ts`]: `import '#test/nothing.ts'` }],
  ['unresolved y.test.ts:1', { [`${server}/y.test.ts`]: `import '#other/world.ts'` }],
])('%s', (violation, files) => {
  expect(broken(files)).toEqual([violation])
})

test('a cycle, through a type import too', () => {
  const one = `import type { B } from './two.ts'\nexport type A = B`
  const two = `import type { A } from './one.ts'\nexport type B = A`
  expect(broken({ [`${server}/one.ts`]: one, [`${server}/two.ts`]: two })).toEqual(['no-cycles one.ts'])
})

test('a tree with too few files', () => {
  expect(broken({}, 30)).toEqual([`seen-enough ${root}`])
})
