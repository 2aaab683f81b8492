import { expect, inject, onTestFinished, test } from 'vitest'
import { openPathProxy } from '../packages/server/test-support/path-proxy.ts'
import { ADMIN, serveCommunity } from './community.ts'
import { takeWindow } from './page-pool.ts'

const BASE = '/community'

test('below a path, members sign in, read the feed and post, whether the proxy keeps the path or cuts it', async () => {
  let target = ''
  const proxy = await openPathProxy(BASE, 'keeps', () => target)
  const { stage, stop } = await serveCommunity(inject('stage'), { LYCEUM_URL: proxy.origin, LYCEUM_BASE_PATH: BASE })
  target = stage.origin
  onTestFinished(async () => {
    await stop()
    proxy.close()
  })
  const home = proxy.origin + BASE
  const { page } = await takeWindow({ origin: proxy.origin, screen: 'desktop', look: { worker: true } })
  const outside: string[] = []
  page.on('request', (request) => {
    const { origin, pathname, protocol } = new URL(request.url())
    if (protocol.startsWith('http') && (origin !== proxy.origin || !`${pathname}/`.startsWith(`${BASE}/`))) outside.push(request.url())
  })

  await page.goto(`${home}/spaces`)
  await page.getByLabel('Username or email').fill(ADMIN.username)
  await page.getByLabel('Password').fill(ADMIN.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL(`${home}/spaces`)
  await page.goto(home)
  await page.getByRole('button', { name: /^What would you like to share/ }).click()
  await page.getByRole('textbox', { name: 'Your post' }).fill('Beans below a path')
  await page.getByRole('button', { name: 'Post', exact: true }).click()
  const post = page.getByRole('article').filter({ hasText: 'Beans below a path' }).first()
  await post.waitFor()
  expect(await page.evaluate('navigator.serviceWorker.ready.then(({ scope }) => scope)')).toBe(home)

  proxy.turnTo('cuts')
  await page.reload()
  await post.waitFor()
  expect(outside).toEqual([])
})
