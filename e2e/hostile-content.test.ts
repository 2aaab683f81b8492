import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { type Member, ownCommunity } from './browser.ts'

const { person, visit } = ownCommunity()

let eve: Member
let ben: Member
beforeAll(async () => {
  ;[eve, ben] = [await person('Eve Sender'), await person('Ben Reader')]
})

/** Longest time in milliseconds for which the page was unresponsive. */
const longestTask = (page: Page): Promise<number> =>
  page.evaluate<number>(`new Promise((done) => {
    new PerformanceObserver((list) => done(Math.max(...list.getEntries().map(({ duration }) => duration)))).observe({ type: 'longtask', buffered: true })
    setTimeout(() => done(0), 500)
  })`)

/** Height of the post in the list, in pixels. */
const heightOf = async (page: Page, id: number): Promise<number> =>
  (await page.locator(`[data-feed="${id}"]`).boundingBox())?.height ?? Number.NaN

it('no post freezes or floods the pages of its readers', async () => {
  const html = (message: string) => eve.client.feeds.create({ message, content_type: 'html' })
  await html(`<table>${`<tr>${'<td colspan=99 rowspan=99>x'.repeat(5)}`.repeat(105)}`)
  const pictures = Array.from({ length: 200 }, (_, n) => `![](https://pictures.example/${n}.png)`).join('\n\n')
  await eve.client.feeds.create({ message: pictures })
  const { data: tall } = await html('<img src="https://pictures.example/tall.png" width="600" height="9999">')
  const { data: lines } = await eve.client.feeds.create({ message: 'x\n'.repeat(690) })

  const { page } = await visit('desktop', '/', {})
  let asked = 0
  // Images that never load keep their reserved space.
  await page.route(/\/media\/remote/, () => {
    asked += 1
  })
  await page.getByLabel('Username or email').fill(ben.username)
  await page.getByLabel('Password').fill(ben.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.locator(`[data-feed="${lines.id}"]`).waitFor()
  expect(await longestTask(page)).toBeLessThan(2500)
  expect(await heightOf(page, lines.id)).toBeLessThan(900)
  expect(await heightOf(page, tall.id)).toBeLessThan(900)
  expect(asked).toBeLessThan(100)
})
