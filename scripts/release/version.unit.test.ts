import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { releaseNotes, setVersion } from './version.ts'

let root = ''
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'version-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const write = (file: string, content: unknown) => {
  mkdirSync(dirname(join(root, file)), { recursive: true })
  writeFileSync(join(root, file), typeof content === 'string' ? content : JSON.stringify(content))
}
const read = (file: string) => JSON.parse(readFileSync(join(root, file), 'utf8')) as unknown

const arrange = (changelog: string) => {
  write('CHANGELOG.md', changelog)
  write('package.json', { name: 'lyceum', version: '0.1.0' })
  write('bench/package.json', { name: '@lyceum/bench', devDependencies: { ioredis: '6.0.0' } })
  write('packages/sdk/package.json', { version: '0.1.0', dependencies: { '@lyceum/contract': '0.1.0', typebox: '0.1.0' } })
  write('package-lock.json', {
    version: '0.1.0',
    packages: {
      '': { version: '0.1.0' },
      'node_modules/typebox': { version: '0.1.0' },
      'packages/sdk': { version: '0.1.0', dependencies: { '@lyceum/contract': '0.1.0' } },
    },
  })
}

test('a release sets the version of our packages only', () => {
  arrange('# Changelog\n\n## [Unreleased]\n\n- New\n')
  setVersion(root, '0.2.0', '2026-12-01')
  expect(read('package.json')).toEqual({ name: 'lyceum', version: '0.2.0' })
  expect(read('bench/package.json')).toEqual({ name: '@lyceum/bench', devDependencies: { ioredis: '6.0.0' } })
  expect(read('packages/sdk/package.json')).toEqual({ version: '0.2.0', dependencies: { '@lyceum/contract': '0.2.0', typebox: '0.1.0' } })
  expect(read('package-lock.json')).toEqual({
    version: '0.2.0',
    packages: {
      '': { version: '0.2.0' },
      'node_modules/typebox': { version: '0.1.0' },
      'packages/sdk': { version: '0.2.0', dependencies: { '@lyceum/contract': '0.2.0' } },
    },
  })
})

test.each(['## [Unreleased]', '## [0.2.0] - Unreleased'])('%s becomes the notes of the version', (heading) => {
  arrange(`# Changelog\n\n${heading}\n\n### Added\n\n- New\n\n## [0.1.0] - 2026-11-01\n\n- Old\n`)
  setVersion(root, '0.2.0', '2026-12-01')
  expect(readFileSync(join(root, 'CHANGELOG.md'), 'utf8')).toContain('\n## [0.2.0] - 2026-12-01\n')
  expect(releaseNotes(root, '0.2.0')).toBe('### Added\n\n- New\n')
})

test('there are no notes of a version that the packages do not have, or that is not released', () => {
  arrange('# Changelog\n\n## [0.1.0] - Unreleased\n\n- New\n')
  expect(() => releaseNotes(root, '0.2.0')).toThrow('the packages have the version 0.1.0, not 0.2.0')
  expect(() => releaseNotes(root, '0.1.0')).toThrow('the changelog has no released version 0.1.0')
})

test('a release needs changes and a version', () => {
  arrange('# Changelog\n\n## [0.1.0] - 2026-11-01\n\n- Old\n')
  expect(() => setVersion(root, '0.2.0', '2026-12-01')).toThrow('the changelog has no unreleased changes')
  arrange('# Changelog\n\n## [Unreleased]\n')
  expect(() => setVersion(root, 'next', '2026-12-01')).toThrow('"next" is not a version such as 1.2.3 or 1.2.3-beta.1')
  expect(read('package.json')).toEqual({ name: 'lyceum', version: '0.1.0' })
})
