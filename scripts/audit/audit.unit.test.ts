import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gte } from 'semver'
import { describe, expect, test } from 'vitest'
import { readAdvice } from './advisories.ts'
import { adviceOfBundled, type Bundled, isTooOld } from './bundled.ts'
import { directDependencies, type Locked, type Lockfile, lockfileProblems, neededBut } from './lockfile.ts'
import { ACCEPTED, RULES } from './rules.ts'

const root = join(import.meta.dirname, '../..')
const real = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as Lockfile

const change = (packages: Record<string, Partial<Locked>>): Lockfile => ({
  ...real,
  packages: {
    ...real.packages,
    ...Object.fromEntries(Object.entries(packages).map(([path, more]) => [path, { ...real.packages[path], ...more }])),
  },
})
const problems = (packages: Record<string, Partial<Locked>>, rules = RULES) => lockfileProblems(change(packages), rules)

describe('the lockfile', () => {
  test('of this repository has no problems', () => {
    expect(lockfileProblems(real, RULES)).toEqual([])
    expect(Object.keys(real.packages).length).toBeGreaterThan(300)
    expect(directDependencies(real)).toContain('fastify')
    expect(directDependencies(real)).not.toContain('@lyceum/contract')
  })

  test('comes with settings that run no package scripts', () => {
    expect(readFileSync(join(root, '.npmrc'), 'utf8').split('\n')).toContain('ignore-scripts=true')
  })

  test.each<[string, Record<string, Partial<Locked>>, string]>([
    ['no hash', { 'node_modules/fastify': { integrity: undefined } }, 'node_modules/fastify: has no strong hash'],
    ['a weak hash', { 'node_modules/fastify': { integrity: 'sha1-x' } }, 'node_modules/fastify: has no strong hash'],
    [
      'a script',
      { 'node_modules/sharp': { hasInstallScript: true } },
      'node_modules/sharp: runs a script when it is installed, and no reason is given for it',
    ],
    [
      'another host',
      { 'node_modules/pg': { resolved: 'https://evil.example/pg.tgz' } },
      'node_modules/pg: comes from https://evil.example/pg.tgz',
    ],
    [
      'a host that begins alike',
      { 'node_modules/pg': { resolved: 'https://registry.npmjs.org.evil.example/pg.tgz' } },
      'node_modules/pg: comes from https://registry.npmjs.org.evil.example/pg.tgz',
    ],
    [
      'a repository',
      { 'node_modules/pg': { resolved: 'git+ssh://git@github.com/x/pg.git#1' } },
      'node_modules/pg: comes from git+ssh://git@github.com/x/pg.git#1',
    ],
    ['a link elsewhere', { 'node_modules/pg': { link: true, resolved: undefined } }, 'node_modules/pg: is a link out of this repository'],
    [
      'a range',
      { 'packages/server': { dependencies: { pg: '^8.0.0' } } },
      'packages/server: pg is wanted as ^8.0.0, which is no exact version',
    ],
  ])('with %s is told of', (_what, packages, problem) => {
    expect(problems(packages)).toEqual([problem])
  })

  test('with too many direct dependencies, or an unneeded permission, is reported', () => {
    const count = directDependencies(real).length
    expect(problems({}, { ...RULES, mostDirect: count })).toEqual([])
    expect(problems({}, { ...RULES, mostDirect: count - 1 })).toEqual([
      `${count} packages are direct dependencies, and ${count - 1} may be`,
    ])
    expect(problems({}, { ...RULES, installScripts: { pg: 'none' } })).toEqual(['pg: is allowed a script that it does not have'])
    expect(problems({ 'node_modules/pg': { hasInstallScript: true } }, { ...RULES, installScripts: { pg: 'a reason' } })).toEqual([])
  })
})

describe('a result of npm audit', () => {
  const accepted = new Set(Object.keys(ACCEPTED))
  const advisory = { title: 'It leaks', url: 'https://github.com/advisories/GHSA-x' }
  const report = (vulnerabilities: object) => JSON.stringify({ auditReportVersion: 2, vulnerabilities, metadata: {} })
  const finding = (name: string, severity: string) => ({ [name]: { name, severity, via: [advisory], nodes: [`node_modules/${name}`] } })

  test('is a finding from moderate severity on, for packages that run in the server or tools', () => {
    const advice = readAdvice(
      report({ ...finding('fastify', 'moderate'), ...finding('pg', 'low'), ...finding('vitest', 'high') }),
      real,
      accepted,
    )
    expect(advice).toEqual({
      answered: true,
      accepted: [],
      findings: [
        'fastify (moderate): It leaks https://github.com/advisories/GHSA-x',
        'vitest (high): It leaks https://github.com/advisories/GHSA-x',
      ],
    })
  })

  test('is accepted if only an accepted test package depends on it', () => {
    const only = Object.keys(real.packages).filter((path) => !neededBut(real, accepted).has(path))
    expect(only).toContain('node_modules/s3rver')
    expect(only.filter((path) => !real.packages[path]?.dev)).toEqual([])
    const advice = readAdvice(report(finding('s3rver', 'critical')), real, accepted)
    expect(advice).toMatchObject({ answered: true, findings: [], accepted: [expect.stringContaining('s3rver (critical)')] })
    expect(readAdvice(report(finding('s3rver', 'critical')), real, new Set())).toMatchObject({ findings: [expect.any(String)] })
  })

  test('is empty if nothing is known, and a missing result is an error', () => {
    expect(readAdvice(report({}), real, accepted)).toEqual({ answered: true, findings: [], accepted: [] })
    const refused = { message: '405 Method Not Allowed', statusCode: 405, error: { summary: '' } }
    expect(readAdvice(JSON.stringify(refused), real, accepted)).toEqual({ answered: false, why: '405 Method Not Allowed' })
    for (const text of ['', 'null', '[]', '{}', '{"vulnerabilities":{}}', '<html>', '{"error":{"summary":"ENOTFOUND"}}'])
      expect(readAdvice(text, real, accepted)).toMatchObject({ answered: false })
  })
})

describe('the bundled advisories', () => {
  const bundled = JSON.parse(readFileSync(join(import.meta.dirname, 'known-advisories.json'), 'utf8')) as Bundled
  const accepted = new Set(Object.keys(ACCEPTED))

  test('match no locked package that runs in the server or tools', () => {
    expect(bundled.advisories.length).toBeGreaterThan(20)
    expect(adviceOfBundled(bundled, real, accepted)).toMatchObject({ answered: true, findings: [] })
  })

  test('find a package that is locked at a vulnerable version', () => {
    const old = change({ 'node_modules/fastify': { version: '5.3.1' } })
    expect(adviceOfBundled(bundled, old, accepted)).toMatchObject({
      findings: [
        'fastify 5.3.1 (high): Validation is bypassed by an altered content type https://github.com/advisories/GHSA-mg2h-6x62-wpwc',
      ],
    })
  })

  test('are too old after half a year', () => {
    expect(isTooOld({ date: '2026-01-01', advisories: [] }, new Date('2026-06-01'))).toBe(false)
    expect(isTooOld({ date: '2026-01-01', advisories: [] }, new Date('2026-08-01'))).toBe(true)
  })
})

test('the Node that comes along has all security fixes of mid-2026 on every platform', () => {
  const carried = Object.entries(real.packages).filter(([path]) => /^node_modules\/node-(bin-)?(darwin|linux|win)-/.test(path))
  expect(carried.length).toBe(5)
  for (const [path, { version = '' }] of carried) expect(gte(version, '24.18.1'), `${path} ${version}`).toBe(true)
})
