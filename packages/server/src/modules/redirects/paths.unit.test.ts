import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isSitePath } from '@lyceum/content'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { PACKAGE_FOLDER } from '../../util/package-root.ts'
import { addressOf, isOwnPath, storedPaths, withPathsAbove } from './paths.ts'

const url = (path: string) => new URL(path, 'https://old.example')

test.each([
  ['/topic/12/', ['/topic/12']],
  ['/topic/%C3%BC', ['/topic/ü']],
  ['/broken/%', ['/broken/%']],
  ['/a?p=1', ['/a?p=1', '/a']],
  ['/?p=1', ['/?p=1']],
  ['/', []],
  [`/${'x'.repeat(2000)}`, []],
])('%s is stored as %j', (path, stored) => {
  expect(storedPaths(url(path))).toEqual(stored)
})

const paths = fc.oneof(
  fc.webPath().filter((path) => path.startsWith('/') && !path.startsWith('//')),
  fc.string({ unit: fc.constantFrom(...'/?#%&=+;:ab.ü ') }).map((text) => `/a${text}`),
)
test('the address of a stored path is a path without spaces that is stored as that path', () => {
  fc.assert(
    fc.property(paths, (path) => {
      const [stored] = storedPaths(url(path))
      fc.pre(stored !== undefined && !stored.startsWith('//'))
      const address = addressOf(stored)
      expect(isSitePath(address)).toBe(true)
      expect(storedPaths(url(address))[0]).toBe(stored)
    }),
  )
  expect(addressOf('/?author=7')).toBe('/?author=7')
  expect(addressOf('/author/Wynn Rudder')).toBe('/author/Wynn%20Rudder')
})

test('the paths above follow', () => {
  expect(withPathsAbove(url('/a/b/c/d/e?x'))).toEqual(['/a/b/c/d/e?x', '/a/b/c/d/e', '/a/b/c/d', '/a/b/c', '/a/b'])
  expect(withPathsAbove(url('/a'))).toEqual(['/a'])
})

test('every page of the web app is known, and paths below pages without further ones are not', () => {
  const folder = join(PACKAGE_FOLDER, '../web/src/features')
  const pages = globSync('*/routes.tsx', { cwd: folder }).flatMap((name) =>
    [...readFileSync(join(folder, name), 'utf8').matchAll(/getParentRoute: \(\) => (?:members|root),[^}]*?path: '(\/[^']+)'/g)].map(
      ([, path = '']) => path,
    ),
  )
  expect(pages.length).toBeGreaterThan(20)
  expect(pages.filter((path) => !isOwnPath(path.replaceAll('$', '')))).toEqual([])
  for (const path of ['/notifications/ana', '/members/ana', '/topic/1', '/?p=1']) expect(isOwnPath(path)).toBe(false)
})
