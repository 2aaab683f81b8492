import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { PACKAGE_FOLDER } from '../../util/package-root.ts'
import { isOwnPath, storedPaths, withPathsAbove } from './paths.ts'

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
