import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { api, ERRORS, events, PERMISSIONS, type Route, type Routes, writeLimitOf } from '@lyceum/contract'
import { describe, expect, test } from 'vitest'
import examples from '../../contract/src/generated/examples.json' with { type: 'json' }
import { createMount } from '../src/http/pipeline/route-handlers.ts'
import { createRegistry } from '../src/jobs/index.ts'
import { MODULES } from '../src/modules/index.ts'
import { callsIn, testedCalls } from './tested-calls.ts'

const root = join(import.meta.dirname, '../../..')

const { mount, mounted } = createMount()
for (const module of MODULES) module.mount?.(mount)

const routes: readonly (readonly [id: string, route: Route])[] = Object.entries(api as Record<string, Routes>).flatMap(([group, list]) =>
  Object.entries(list).map(([name, route]) => [`${group}.${name}`, route] as const),
)
const idsWhere = (holds: (route: Route, id: string) => boolean) => routes.filter(([id, route]) => holds(route, id)).map(([id]) => id)
const namesOf = (schema: { readonly properties: object } | undefined) => Object.keys(schema?.properties ?? {})

/** The operation for a call such as `POST /feeds/7`; if several match, the one with the fewest path parameters. */
const routeOf = (call: string): string | undefined =>
  routes
    .filter(([, { method, path }]) => new RegExp(`^${method} ${path.replace(/\{[^}]+\}/g, '[^/]+')}/?$`).test(call))
    .sort(([, a], [, b]) => namesOf(a.params).length - namesOf(b.params).length)[0]?.[0]

test('the test sees the whole API', () => {
  expect(routes.length).toBeGreaterThan(50)
  expect(mounted.length).toBeGreaterThan(10)
})

describe('every route', () => {
  test('declares who may call it', () => {
    const known = new Set<string>(['public', 'member', 'admin', ...PERMISSIONS])
    expect(idsWhere((route) => !known.has(route.access))).toEqual([])
  })

  test('has a one-line summary without a full stop', () => {
    expect(idsWhere(({ summary }) => !/^[^\n]{3,100}[^.\n]$/.test(summary))).toEqual([])
  })

  test('declares existing errors, without duplicates', () => {
    const all = ({ errors = [], fieldErrors = {}, queryErrors = {} }: Route) => [
      ...errors,
      ...Object.values(fieldErrors),
      ...Object.values(queryErrors),
    ]
    expect(idsWhere((route) => all(route).some((code) => !Object.hasOwn(ERRORS, code)))).toEqual([])
    expect(idsWhere(({ errors = [] }) => new Set(errors).size !== errors.length)).toEqual([])
  })

  test('responds with 201 only if it is a POST that writes', () => {
    expect(idsWhere(({ status, method, write }) => status === 201 && (method !== 'POST' || write === false))).toEqual([])
  })

  test('has a body only for methods with a body', () => {
    // No password is part of a URL.
    const deleting = ['privacy.deleteAccount', 'privacy.deleteMember']
    expect(
      idsWhere(({ body, method }, id) => body !== undefined && (method === 'GET' || (method === 'DELETE' && !deleting.includes(id)))),
    ).toEqual([])
  })

  test('never uses the same name for two inputs', () => {
    const all = ({ params, query, body }: Route) => [...namesOf(params), ...namesOf(query), ...namesOf(body)]
    expect(idsWhere((route) => new Set(all(route)).size !== all(route).length)).toEqual([])
  })

  test('declares exactly the parameters of its path', () => {
    const inPath = ({ path }: Route) => [...path.matchAll(/\{([^}]+)\}/g)].map((match) => match[1] ?? '')
    expect(idsWhere((route) => inPath(route).sort().join() !== namesOf(route.params).sort().join())).toEqual([])
    expect(idsWhere(({ path }) => !/^(\/([a-z0-9_-]+|\{[a-z_]+\}))+$/.test(path))).toEqual([])
  })

  test('declares existing fields in its field errors', () => {
    expect(idsWhere(({ body, fieldErrors = {} }) => Object.keys(fieldErrors).some((field) => !namesOf(body).includes(field)))).toEqual([])
    expect(idsWhere(({ query, queryErrors = {} }) => Object.keys(queryErrors).some((name) => !namesOf(query).includes(name)))).toEqual([])
  })

  test('has a unique method and path', () => {
    const places = routes.map(([, { method, path }]) => `${method} ${path.replace(/\{[^}]+\}/g, '{}')}`)
    expect(places.filter((place, index) => places.indexOf(place) !== index)).toEqual([])
  })

  test('is mounted exactly once, and nothing else is', () => {
    expect(mounted.map(({ id }) => id).sort()).toEqual(routes.map(([id]) => id).sort())
    expect(mounted.filter(({ id, route }) => routes.find(([known]) => known === id)?.[1] !== route)).toEqual([])
  })

  test('declares a secret in its response', () => {
    const SECRET = /^(password|secret|token|nonce|private_key|recovery_codes?|api_key|.*_(secret|token|api_key))$/
    const names = (schema: unknown): string[] => {
      if (schema === null || typeof schema !== 'object') return []
      const { properties = {} } = schema as { properties?: object }
      return [...Object.keys(properties), ...Object.values(schema).flatMap(names)]
    }
    // They show the last characters of a secret.
    const masked = ['webhooks.list', 'webhooks.one', 'webhooks.update']
    const holding = idsWhere(({ response }) => names(response).some((name) => SECRET.test(name)))
    const silent = (id: string) => !routes.find(([known]) => known === id)?.[1].secret
    expect(holding.filter(silent).sort()).toEqual(masked)
    expect(holding).toEqual(expect.arrayContaining(['auth.login', 'account.createApplicationPassword', 'webhooks.create']))
  })

  test('has an example', () => {
    expect(idsWhere((_route, id) => !Object.hasOwn(examples, id))).toEqual([])
  })

  test('that writes counts against a member’s budget, or states why not', () => {
    const unpaced: Record<string, string> = {
      'batch.run': 'each of its requests counts on its own',
      'feeds.preview': 'stores nothing',
    }
    const open = ({ access, method }: Route) => access === 'member' && method !== 'GET'
    expect(idsWhere((route) => open(route) && writeLimitOf(route) === null)).toEqual(Object.keys(unpaced))
  })

  test('that creates content for others counts against a budget of its kind, or states why not', () => {
    const general: Record<string, string> = {
      'account.createApplicationPassword': 'seen by its owner alone',
      'adminCourses.addStudent': 'for those who teach',
      'courseSections.create': 'for those who teach',
      'courses.enroll': 'once per course',
      'adminLessons.create': 'for those who teach',
      'adminLessons.duplicate': 'for those who teach',
      'privacy.requestExport': 'has a limit per day',
      'push.subscribe': 'seen by its owner alone',
      'quizzes.start': 'seen by those who teach alone',
      'quizzes.submit': 'seen by those who teach alone',
      'spaceMembers.add': 'for those who moderate a space',
      'topics.create': 'for those who may make topics',
    }
    const creates = ({ access, status }: Route) => access === 'member' && status === 201
    expect(idsWhere((route) => creates(route) && (writeLimitOf(route) ?? 'changes') === 'changes')).toEqual(Object.keys(general))
  })

  test('is called by a test that expects success', () => {
    const calls = testedCalls(root)
    const tested = new Set([...calls].flatMap((call) => (call.includes(' ') ? (routeOf(call) ?? []) : call)))
    expect(idsWhere((_route, id) => !tested.has(id))).toEqual([])
  })
})

test('reads trigger writes in four places: outdated metrics and points, score periods after a clock change, and lesson access', () => {
  const files = globSync('packages/server/src/**/*.ts', { cwd: root }).filter((file) => !file.endsWith('read-guard.ts'))
  const besides = files.filter((file) => /\bbesideRead\(/.test(readFileSync(join(root, file), 'utf8')))
  expect(besides.map((file) => file.split('/src/')[1]).sort()).toEqual([
    'modules/analytics/rollup-worker.ts',
    'modules/leaderboard/fold.ts',
    'modules/leaderboard/periods.ts',
    'modules/lessons/routes.ts',
  ])
})

describe('events and jobs', () => {
  test('every listener listens to an existing event', () => {
    const heard = MODULES.flatMap(({ listeners = [] }) => listeners.map(({ event }) => event as string))
    expect(heard.filter((event) => !Object.hasOwn(events, event))).toEqual([])
  })

  test('events are named noun.verb and contain only ids and times', () => {
    expect(Object.keys(events).filter((name) => !/^[a-z]+(_[a-z]+)*\.[a-z]+(_[a-z]+)*$/.test(name))).toEqual([])
    const odd = Object.entries(events).flatMap(([name, { properties }]) =>
      Object.entries(properties as Record<string, { type?: string }>)
        .filter(([field, { type }]) => !(field.endsWith('_id') && type === 'integer') && !(field.endsWith('_at') && type === 'string'))
        .map(([field]) => `${name}: ${field}`),
    )
    expect(odd).toEqual([])
  })

  test('job names are unique and start with the name of their module', () => {
    const jobsOf = ({ listeners = [], jobs = [] }: (typeof MODULES)[number]) => [...jobs, ...listeners.map(({ job }) => job)]
    expect(() =>
      createRegistry(
        MODULES.flatMap(({ listeners = [] }) => listeners),
        MODULES.flatMap(({ jobs = [] }) => jobs),
      ),
    ).not.toThrow()
    expect(
      MODULES.flatMap((module) =>
        jobsOf(module)
          .filter(({ name }) => !name.startsWith(`${module.name}.`))
          .map(({ name }) => name),
      ),
    ).toEqual([])
  })
})

describe('every file', () => {
  const ownFile = 'packages/server/test/structure.unit.test.ts'
  const files = [
    'packages/*/{src,test,test-support,bin}/**/*.{ts,tsx,mjs,css}',
    'packages/harnesses/**/*.ts',
    'bench/**/*.ts',
    'e2e/**/*.ts',
    'scripts/**/*.ts',
    '*.ts',
  ]
    .flatMap((pattern) => globSync(pattern, { cwd: root, exclude: (name) => name === 'node_modules' }))
    .map((file) => ({ file: file.replaceAll('\\', '/'), text: readFileSync(join(root, file), 'utf8') }))
  const filesWith = (pattern: RegExp) => files.filter(({ file, text }) => file !== ownFile && pattern.test(text)).map(({ file }) => file)

  test('is covered', () => {
    expect(files.length).toBeGreaterThan(150)
  })
  test('has at most 600 lines', () => {
    expect(files.filter(({ text }) => text.split('\n').length > 601).map(({ file }) => file)).toEqual([])
  })
  test('contains no unfinished work', () => {
    expect(filesWith(/\b(?:TODO|FIXME)\b/)).toEqual([])
  })
  test('with tests runs all of them', () => {
    expect(filesWith(/\b(?:it|test|describe)(?:\.\w+)*\.(?:only|skip|todo|fails)\b|\bx(?:it|test|describe)\(/)).toEqual([])
  })
})

test.each([
  ['await ana.api.feeds.create({ message: "x" })', ['feeds.create']],
  ['const { feeds } = ana.api\nawait feeds\n  .list()', ['feeds.list']],
  ['await ana.api.feeds.list.answer()', ['feeds.list']],
  ['await ana.api["feeds"].byId({ feed_id: (await ben.api.feeds.create({})).data.id })', ['feeds.byId', 'feeds.create']],
  ['await refused(ana.api.feeds.create({}), 400, "invalid_content")', []],
  [`await ana.raw("POST", \`/feeds/\${id}/react?x=1\`, { type: "like" })`, ['ana.raw', 'POST /feeds/x/react']],
  ['// ana.api.feeds.create()\n"ana.api.feeds.create()"', []],
])('calls are found in the source: %s', (text, calls) => {
  expect(callsIn('x.ts', text)).toEqual(calls)
})
