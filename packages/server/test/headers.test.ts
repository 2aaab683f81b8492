import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { api, type Route } from '@lyceum/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeSchool } from '#test/course-fixtures.ts'
import { basic, fetchFile, upload } from '#test/media.ts'
import { SOAK } from '#test/scale.ts'
import { createWorld, type Member, type RawAnswer, type World } from '#test/world.ts'
import { unsubscribeToken } from '../src/modules/notifications/delivery/unsubscribe-token.ts'

let world: World
let admin: Member
let ana: Member
beforeAll(async () => {
  world = await createWorld()
  admin = await world.member({ role: 'admin' })
  ana = await world.member()
})
afterAll(() => world.close())

const source = join(import.meta.dirname, '../src')
const ROUTES = Object.entries(api).flatMap(([group, routes]) =>
  Object.entries(routes).map(([name, route]) => ({ id: `${group}.${name}`, route: route as Route })),
)
const pathOf = ({ path, params }: Route) =>
  path.replace(/\{([^}]+)\}/g, (_match, name: string) => {
    const fields = (params?.properties ?? {}) as Record<string, { type?: string }>
    return fields[name]?.type === 'integer' ? '987654321' : 'x'
  })

/** Problems of the headers that every response must have. */
const wrongIn = ({ headers }: Pick<RawAnswer, 'headers'>): string[] => {
  const type = headers.get('content-type')
  return [
    headers.get('x-content-type-options') !== 'nosniff' && 'may be taken for another type',
    !/^[\w.-]{1,64}$/.test(headers.get('x-request-id') ?? '') && 'has no id',
    type !== null && /^text\/|json/.test(type) && !/charset=utf-8$/.test(type) && type !== 'text/event-stream' && `has no charset: ${type}`,
    headers.has('location') && 'sends elsewhere',
    ['server', 'x-powered-by', 'access-control-allow-origin'].some((name) => headers.has(name)) && 'tells or allows more than it must',
  ].filter((problem) => problem !== false)
}

/** Directives of a policy with their sources. */
const directivesOf = (headers: Headers): Readonly<Record<string, readonly string[]>> =>
  Object.fromEntries(
    (headers.get('content-security-policy') ?? '')
      .split(';')
      .map((text) => text.trim().split(/\s+/))
      .map(([name = '', ...sources]) => [name, sources]),
  )

/** Sources a page may use: itself, and inline content by hash. */
const PLAIN = /^(?:'none'|'self'|'sha256-[A-Za-z0-9+/]{43}='|data:|blob:)$/

/** Problems of a page's policy; `also` lists sources allowed for this page only. */
const laxIn = (answer: RawAnswer, also: readonly string[] = []): string[] => {
  const policy = directivesOf(answer.headers)
  const is = (name: string, value: string) => policy[name]?.join(' ') === value
  const scripts = policy['script-src'] ?? []
  return [
    !is('default-src', "'none'") && 'default-src',
    !is('base-uri', "'none'") && 'base-uri',
    !is('frame-ancestors', "'none'") && 'frame-ancestors',
    !is('form-action', "'none'") && !is('form-action', "'self'") && 'form-action',
    policy['object-src'] && !is('object-src', "'none'") && 'object-src',
    scripts.some((one) => !/^'(?:self|none|sha256-)/.test(one)) && 'script-src',
    answer.headers.get('referrer-policy') !== 'no-referrer' && 'referrer-policy',
    answer.headers.get('content-type') !== 'text/html; charset=utf-8' && 'content-type',
    /\son[a-z]+=|javascript:/i.test(answer.text) && 'a script in an attribute',
    ...Object.values(policy)
      .flat()
      .filter((one) => !PLAIN.test(one) && !also.includes(one)),
    ...wrongIn(answer),
  ].filter((problem) => problem !== false && problem !== undefined)
}

describe('every page', () => {
  /** The API reference sets style attributes; it shows no text of members. */
  const REFERENCE = ["'unsafe-inline'"]

  const pages = async (): Promise<readonly (readonly [path: string, status: number, also?: readonly string[]])[]> => {
    const { courseId, lessons } = await makeSchool(admin, { lessons: 1, students: [ana] })
    await ana.api.progress.complete({ course_id: courseId, lesson_id: lessons[0] ?? 0 })
    const { certificate_id } = (await ana.api.progress.certificate({ course_id: courseId })).data
    const token = unsubscribeToken(world.app.services.keys.unsubscribing, { userId: ana.id, kind: 'mention' })
    return [
      ['/', 200],
      ['/docs', 200, REFERENCE],
      ['/docs/', 200, REFERENCE],
      ['/setup?token=x', 200],
      ['/forgot-password', 200],
      ['/verify-email?token=x', 200],
      ['/reset-password?token=x', 200],
      [`/unsubscribe/${token}`, 200],
      ['/unsubscribe/x', 404],
      [`/certificates/${certificate_id}`, 200],
      ['/certificates/x', 404],
    ]
  }

  test('only runs its own script, links nowhere else and cannot be framed', async () => {
    for (const [path, status, also] of await pages()) {
      const answer = await world.request('GET', `/${path}`)
      expect([path, answer.status, laxIn(answer, also)]).toEqual([path, status, []])
    }
    const done = await world.request('POST', '//unsubscribe/x')
    expect([done.status, laxIn(done)]).toEqual([404, []])
  })

  test('is covered by this test', () => {
    const files = globSync('**/*.ts', { cwd: source, exclude: (name) => name.endsWith('.test.ts') })
    const sending = files.filter((file) => /'text\/html(?:;[^']*)?'|\bsendPage\(/.test(readFileSync(join(source, file), 'utf8')))
    expect(sending.map((file) => file.replaceAll('\\', '/')).sort()).toEqual([
      'http/pages/account-pages.ts',
      'http/pages/docs.ts',
      'http/pages/page-file.ts',
      // Tested in static-web-app.unit.test.ts, because it exists only after a build.
      'http/pages/static-web-app.ts',
      'http/pages/system-routes.ts',
      'modules/notifications/delivery/unsubscribe.ts',
      'modules/progress/certificate-routes.ts',
    ])
    const forms = readFileSync(join(source, 'http/pages/account-pages.ts'), 'utf8').match(/^ {2}'\/[a-z-]+': \{/gm)
    expect(forms?.map((line) => line.slice(3, -4))).toEqual(['/setup', '/forgot-password', '/verify-email', '/reset-password'])
  })

  test.each([
    ['no policy', '', ['default-src', 'base-uri', 'frame-ancestors', 'form-action']],
    ['scripts of its own', "script-src 'unsafe-inline'", ['script-src', "'unsafe-inline'"]],
    ['evaluated text', "script-src 'self' 'unsafe-eval'", ['script-src', "'unsafe-eval'"]],
    ['another host', 'img-src https://evil.example', ['https://evil.example']],
    ['any host', 'connect-src *', ['*']],
  ])('with %s is detected', (_what, more, problems) => {
    const strict = "default-src 'none'; base-uri 'none'; frame-ancestors 'none'; form-action 'none'"
    const headers = new Headers({
      'content-type': 'text/html; charset=utf-8',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-request-id': 'x',
      ...(more !== '' && { 'content-security-policy': `${strict}; ${more}` }),
    })
    expect(laxIn({ status: 200, headers, text: '', body: undefined })).toEqual(problems)
  })
})

describe('every response', () => {
  test('of every operation has its declared type, and is not cached by others', { timeout: 60_000 }, async () => {
    for (const [turn, { id, route }] of ROUTES.entries()) {
      const body = route.method === 'GET' || route.method === 'DELETE' ? undefined : {}
      const others = [
        () => world.request(route.method, pathOf(route), body),
        () => ana.raw(route.method, pathOf(route), body),
        () => admin.raw('OPTIONS', pathOf(route)),
      ]
      for (const ask of [() => admin.raw(route.method, pathOf(route), body), ...others.filter((_, i) => SOAK > 1 || turn % 3 === i)]) {
        const answer = await ask()
        expect([id, answer.status, wrongIn(answer)]).toEqual([id, answer.status, []])
        expect([id, answer.headers.get('cache-control')]).toEqual([id, expect.stringMatching(/no-store|^private, no-cache$/)])
      }
    }
  })

  test('that is a 304 or of another kind, too', async () => {
    const first = await ana.raw('GET', '/feeds')
    const again = await ana.raw('GET', '/feeds', undefined, { 'if-none-match': first.headers.get('etag') ?? '' })
    expect([again.status, wrongIn(again)]).toEqual([304, []])
    const csv = await admin.raw('GET', '/analytics/members/top-members?format=csv')
    expect([csv.status, csv.headers.get('content-type'), wrongIn(csv)]).toEqual([200, 'text/csv; charset=utf-8', []])
    expect(csv.headers.get('content-disposition')).toMatch(/^attachment/)
    for (const [path, status] of [
      ['//health/live', 200],
      ['//health/ready', 200],
      ['//metrics', 200],
      ['//docs/scalar.js', 200],
      ['/openapi.json', 200],
      ['//no-such-page', 404],
      ['//%zz', 400],
      ['//.git/config', 404],
      ['//docs/../package.json', 404],
      ['//media/x/y', 401],
    ] as const) {
      const answer = await world.request('GET', path)
      expect([path, answer.status, wrongIn(answer)]).toEqual([path, status, []])
    }
    expect([(await world.request('POST', '//docs', {})).status, (await world.request('PUT', '//setup', {})).status]).toEqual([404, 404])
  })

  test('with a file keeps active content in it from running', async () => {
    const { file_url, thumbnail_url } = await upload(ana)
    const pdf = await upload(ana, Buffer.from('%PDF-1.7\n<html><script>alert(1)</script>'), 'x.html')
    for (const url of [file_url, thumbnail_url ?? '', pdf.file_url]) {
      const answer = await fetchFile(ana, url)
      const policy = directivesOf(answer.headers)
      expect([url, answer.status, wrongIn(answer)]).toEqual([url, 200, []])
      expect([policy['default-src'], policy['sandbox'], policy['script-src']]).toEqual([["'none'"], [], undefined])
      expect(answer.headers.get('content-type')).not.toMatch(/html|svg|xml|script/)
    }
    expect((await fetchFile(ana, pdf.file_url)).headers.get('content-disposition')).toMatch(/^attachment/)
  })

  test('unusual methods are refused', async () => {
    for (const method of ['TRACK', 'PROPFIND', 'DEBUG']) {
      const { status } = await fetch(`${world.base}/feeds`, { method, headers: basic(ana) }).catch(() => ({ status: 0 }))
      expect([0, 400, 404, 405], method).toContain(status)
    }
  })
})
