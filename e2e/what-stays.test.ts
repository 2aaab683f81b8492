import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { type Member, person, show, visit } from './browser.ts'

/** Settings of the device, independent of the account. */
const DEVICE = ['account', 'composer-markdown', 'keys', 'language', 'theme']

interface Found {
  readonly storage: readonly string[]
  readonly databases: readonly string[]
  readonly cached: readonly string[]
}

/** Everything the browser stores for the site, read in the page. */
const stored = (page: Page): Promise<Found> =>
  page.evaluate<Found>(`(async () => {
    const cached = []
    for (const name of await caches.keys())
      for (const request of await (await caches.open(name)).keys()) {
        const body = await (await caches.match(request))?.text()
        cached.push(new URL(request.url).pathname + ' ' + body?.slice(0, 60))
      }
    return {
      storage: [...Object.entries({ ...localStorage }), ...Object.entries({ ...sessionStorage })].map((entry) => entry.join('=')),
      databases: (await indexedDB.databases()).map(({ name }) => name),
      cached: cached.sort(),
    }
  })()`)

/** Account data: stored values that are not device settings, and cached responses that are not files of the app. */
const accountData = ({ storage, databases, cached }: Found): readonly string[] => [
  ...storage.filter((line) => !DEVICE.includes(line.split('=', 1)[0] ?? '') && !line.startsWith('tsr-scroll')),
  ...databases,
  ...cached.filter((line) => !/^(\/ <!doctype html|\/icon\.svg |\/assets\/)/i.test(line)),
]

const signIn = async (page: Page, { username, password }: Member) => {
  await page.getByLabel('Username or email').fill(username)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('feed').waitFor()
}

const search = async (page: Page, words: string) => {
  await page.goto('/search')
  await page.getByRole('searchbox').first().fill(words)
  await page.getByRole('searchbox').first().press('Enter')
}

it('signing out deletes all account data, and another account finds none', async () => {
  const [ada, ben] = [await person('Ada Leaver'), await person('Ben Follower')]
  const { data: picture } = await ada.client.media.upload({
    file: new File([Buffer.from('%PDF-1.7 nothing')], 'private-notes.pdf', { type: 'application/pdf' }),
  })
  const { page, context } = await visit('desktop', '/', { worker: true })
  await signIn(page, ada)
  await page.evaluate('navigator.serviceWorker.ready.then(() => null)')
  await page.reload()
  await page.getByRole('feed').waitFor()
  await search(page, 'secret wish')
  await page.evaluate("sessionStorage.setItem('draft:of-ada', 'half a thought')")
  // A private file opened by navigation, as from a post.
  await page.goto(picture.file_url).catch(() => {})
  await page.goto('/')
  await page.getByRole('feed').waitFor()

  const before = await stored(page)
  expect(before.cached.filter((line) => line.includes('PDF'))).toEqual([])
  expect(before.cached.map((line) => line.split(' ', 1)[0])).toContain('/')
  // Positive control: while signed in, there is data to find.
  expect(accountData(before).join('\n')).toMatch(/secret wish[\s\S]*half a thought/)

  await page.getByRole('button', { name: 'Account menu' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: /^Sign in to/ }).waitFor()
  const after = await stored(page)
  expect(accountData(after)).toEqual([])
  expect(after.storage.filter((line) => line.startsWith('account'))).toEqual([])
  expect((await context.cookies()).filter(({ name }) => /session/.test(name))).toEqual([])

  await signIn(page, ben)
  await page.goto('/search')
  await page.getByRole('searchbox').first().waitFor()
  expect(await page.getByText('secret wish').count()).toBe(0)
  // The session ends without signing out; the next user still finds nothing.
  await search(page, 'wish of ben')
  await expect.poll(async () => (await stored(page)).storage.join()).toContain('wish of ben')
  await context.clearCookies()
  await page.goto('/')
  await signIn(page, ada)
  expect((await stored(page)).storage.join()).not.toContain('wish of ben')
})

it('other tabs leave a signed-out or replaced account, and continue if the same one signs in again', async () => {
  const [eli, fay] = [await person('Eli Tabs'), await person('Fay Next')]
  const { page: first, context } = await visit('desktop', '/')
  await signIn(first, eli)
  const second = await context.newPage()
  await second.goto('/account')
  const about = second.getByLabel('Bio')
  await about.fill('Words that took an hour')

  // The session ends and the same account signs in again: input is saved.
  await context.clearCookies()
  await first.goto('/')
  await signIn(first, eli)
  await second.getByRole('button', { name: 'Save' }).first().click()
  await expect
    .poll(async () => (await eli.client.profiles.get({ username: eli.username })).profile.short_description)
    .toBe('Words that took an hour')

  // The session ends and another account signs in.
  await about.fill('Words of Eli alone')
  await context.clearCookies()
  await first.goto('/')
  await signIn(first, fay)
  await second.waitForURL((url) => url.pathname !== '/account')
  expect(await second.getByText('Words of Eli alone').count()).toBe(0)

  // After signing out in one tab, the other tab neither shows nor stores its draft.
  await second.goto('/')
  await second.getByRole('button', { name: /^What would you like to share/ }).click()
  await second.getByRole('dialog').locator('[contenteditable=true]').fill('half a thought of Fay')
  await expect.poll(async () => (await stored(second)).storage.join()).toContain('half a thought of Fay')
  await first.getByRole('button', { name: 'Account menu' }).click()
  await first.getByRole('menuitem', { name: 'Sign out' }).click()
  await first.getByRole('heading', { name: /^Sign in to/ }).waitFor()
  await second.getByRole('heading', { name: /^Sign in to/ }).waitFor()
  expect(accountData(await stored(second))).toEqual([])

  // The page is restored from the back/forward cache.
  await signIn(first, eli)
  await first.evaluate("localStorage.setItem('account', '0'); dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))")
  await first.waitForURL(/\/sign-in/)
})

it('opens offline with a message, and continues when the network is back', async () => {
  const cara = await person('Cara Offline')
  const { page, context } = await visit('phone', '/', { as: cara, worker: true })
  await page.getByRole('feed').waitFor()
  await page.evaluate('navigator.serviceWorker.ready.then(() => null)')
  await page.reload()
  await page.getByRole('feed').waitFor()
  await context.setOffline(true)
  await page.reload()
  await page.getByText('You are offline. Content may be out of date.').waitFor()
  await page.getByRole('banner').waitFor()
  await context.setOffline(false)
  await page.getByRole('feed').waitFor()
})

it('sets the document title of each page', async () => {
  const dora = await person('Dora Titles')
  const { page } = await visit('desktop', '/', { as: dora })
  await page.getByRole('feed').waitFor()
  const site = await page.title()
  const expectTitle = async (path: string, title: string) => {
    await show(page, path)
    await expect.poll(() => page.title()).toBe(`${title} · ${site}`)
  }
  for (const [path, title] of [
    ['/spaces', 'Spaces'],
    ['/people', 'Members'],
    [`/people/${dora.username}`, 'Dora Titles'],
    ['/leaderboard', 'Leaderboard'],
    ['/courses', 'Courses'],
    ['/notifications', 'Notifications'],
    ['/account', 'Account settings'],
    ['/bookmarks', 'Bookmarks'],
  ] as const)
    await expectTitle(path, title)
  const { data } = await dora.client.feeds.create({ title: 'A named post', message: 'Hello' })
  await page.goto(`/feeds/${data.slug}`)
  await expect.poll(() => page.title()).toBe(`A named post · ${site}`)
  await page.getByRole('link', { name: 'Courses' }).first().click()
  await expect.poll(() => page.title()).toBe(`Courses · ${site}`)
})
