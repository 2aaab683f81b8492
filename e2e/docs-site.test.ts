import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'
import { type PreviewServer, preview } from 'vite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildDocs } from '../scripts/docs/build.ts'
import { fullSize } from './browser.ts'
import type { Screen, Theme } from './browser-contexts.ts'
import { takeWindow } from './page-pool.ts'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const folder = mkdtempSync(join(tmpdir(), 'docs-site-'))
const site = join(folder, 'site')
let server: PreviewServer
let origin = ''

beforeAll(async () => {
  const older = join(folder, 'older')
  mkdirSync(join(older, 'docs'), { recursive: true })
  writeFileSync(join(older, 'package.json'), '{"version": "0.0.9"}')
  writeFileSync(join(older, 'docs/README.md'), '# Documentation\n')
  await buildDocs(older, site)
  await buildDocs(resolve('.'), site)
  server = await preview({ configFile: false, root: folder, build: { outDir: site }, preview: { host: '127.0.0.1', port: 0 } })
  origin = new URL(server.resolvedUrls?.local[0] ?? '').origin
})
afterAll(async () => {
  await server?.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Opens a page of the site when its scripts have run. */
const open = async (path: string, screen: Screen, theme: Theme = 'light') => {
  const window = await takeWindow({ origin, screen, look: { theme } })
  const outside: string[] = []
  window.page.on('request', (request) => {
    if (!request.url().startsWith(`${origin}/`) && !request.url().startsWith('data:')) outside.push(request.url())
  })
  await window.page.goto(path)
  await window.page.locator('select.versions:enabled').waitFor()
  return { ...window, outside }
}

const search = async (page: Page, words: string) => {
  await page.getByRole('searchbox').fill(words)
  await page
    .locator('.result mark', { hasText: new RegExp(words.split(' ')[0] ?? '', 'i') })
    .first()
    .waitFor()
}

test('readers search, open a result and go on reading, without a request to another host', async () => {
  const { page, consoleErrors, outside } = await open('/', 'desktop')
  expect(new URL(page.url()).pathname).toBe('/latest/index.html')
  await page.keyboard.press('/')
  await search(page, 'nginx')
  await search(page, 'backup')
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  await page.getByRole('button', { name: /^Search/ }).click()
  await search(page, 'webhook signature')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/latest\/(?:api|guide)\/webhooks\.html/)
  await page.goto(`${origin}/latest/api/first-request.html`)
  await page.getByRole('link', { name: 'Authentication' }).last().click()
  await page.getByRole('heading', { level: 1, name: 'Authentication' }).waitFor()
  expect(await page.title()).toMatch(/^Authentication – Lyceum \d+\.\d+$/)
  expect([consoleErrors, outside]).toEqual([[], []])
})

test('readers of an older version are told, and change the version', async () => {
  const { page } = await open('/0.0/index.html', 'desktop')
  await page.getByText('This page describes version 0.0.').waitFor()
  const latest = (JSON.parse(readFileSync(join(site, 'versions.json'), 'utf8')) as { latest: string }).latest
  await page.getByLabel('Version').selectOption(latest)
  await page.waitForURL(`${origin}/latest/index.html`)
  await page.goto(`${origin}/latest/guide/mail.html`)
  await page.locator('select.versions:enabled').waitFor()
  expect(await page.locator('.outdated').isVisible()).toBe(false)
  // The older version does not have this page. The preview answers unknown paths with the start page, so only the status counts.
  await page.route('**/0.0/guide/mail.html', (route) => route.fulfill({ status: 404 }))
  await page.getByLabel('Version').selectOption('0.0')
  await page.waitForURL(`${origin}/0.0/index.html`)
})

test('the theme follows the system until a reader chooses', async () => {
  const { page } = await open('/latest/index.html', 'desktop', 'dark')
  const background = () => page.evaluate<string>('getComputedStyle(document.body).backgroundColor')
  const dark = await background()
  await page.getByRole('button', { name: /light and dark/ }).click()
  const light = await background()
  expect(light).not.toBe(dark)
  await page.goto(`${origin}/latest/guide/mail.html`)
  expect(await background()).toBe(light)
})

/** Pages of each kind, in turn in one of the looks, in a long run in both. */
const CHECKED = ['guide/configuration', 'api/errors', 'asvs', 'project/index']

test.each<[Screen, Theme, number]>([
  ['desktop', 'light', 0],
  ['phone', 'dark', 1],
])('pages are accessible and fit: %s, %s', async (screen, theme, turn) => {
  const { page } = await open('/latest/index.html', screen, theme)
  for (const path of CHECKED.filter((_, place) => fullSize || place % 2 === turn)) {
    await page.goto(`${origin}/latest/${path}.html`)
    await page.locator('select.versions:enabled').waitFor()
    await page.evaluate(AXE)
    const { violations } = (await page.evaluate("axe.run({ resultTypes: ['violations'] })")) as AxeResults
    expect(violations.map(({ id, nodes }) => `${path}: ${id}: ${nodes[0]?.html}`)).toEqual([])
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), path).toBe(0)
  }
  if (screen === 'phone') {
    await page.getByRole('button', { name: 'Menu' }).click()
    await page.getByRole('link', { name: 'Backup and restore' }).first().click()
    await page.getByRole('heading', { level: 1, name: 'Backup and restore' }).waitFor()
  }
})
