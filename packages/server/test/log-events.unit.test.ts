import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { LOG_EVENTS } from '../src/observability/log-events.ts'

const root = join(import.meta.dirname, '../../..')
const CATALOG = 'packages/server/src/observability/log-events.ts'
const sources = globSync('packages/{server,transfer}/src/**/*.ts', { cwd: root })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => !file.endsWith('.test.ts') && file !== CATALOG)
  .map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }))

/** Calls of the log, each with the beginning of its arguments. */
const callsIn = (text: string) => [
  ...text.replace(/\s+/g, ' ').matchAll(/\blog(?:\.(?:trace|debug|info|warn|error|fatal)|\[\w+\])\( ?(.{0,40})/g),
]

const withoutEvent = (text: string) => callsIn(text).filter(([, fields = '']) => !/^\{ event(?:: '\w+')?[, ]/.test(fields))

test('every line that the server logs has an event', () => {
  expect(sources.flatMap(({ text }) => callsIn(text)).length).toBeGreaterThan(40)
  expect(sources.flatMap(({ file, text }) => withoutEvent(text).map(([call]) => `${file}: ${call}`))).toEqual([])
})

test.each([
  "log.warn('text')",
  "services.log.error({ err: error }, 'text')",
  'log[level](text)',
  "log.info(\n  { request_id: 1, event: 'request_completed' },",
])('control: %s has none where it is looked for', (call) => {
  expect(withoutEvent(call)).toHaveLength(1)
})

test('every event is logged somewhere, and described in the guide', () => {
  const logged = sources.map(({ text }) => text).join('\n')
  expect(Object.keys(LOG_EVENTS).filter((event) => !logged.includes(`event: '${event}'`))).toEqual([])
  const guide = readFileSync(join(root, 'docs/guide/logs.md'), 'utf8')
  const [, table = ''] = guide.split('| `event` | Meaning |\n| --- | --- |\n')
  const rows = [...table.split('\n\n', 1)[0]!.matchAll(/^\| `(\w+)` \| (.*) \|$/gm)].map(([, event, meaning]) => [event, meaning])
  expect(Object.fromEntries(rows)).toEqual(LOG_EVENTS)
})
