import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { ADMIN, admin, person, STAFF_SCREENS, visit } from './browser.ts'

const SOON = { timeout: 10_000 }
const DAY_MS = 86_400_000
const daysBack = (length: number) => {
  const day = (back: number) => new Date(Date.now() - back * DAY_MS).toISOString().slice(0, 10)
  return { date_from: day(length - 1), date_to: day(0) }
}

/** The number below a heading. */
const figure = (page: Page, title: string) =>
  page
    .getByRole('listitem')
    .filter({ has: page.getByRole('heading', { name: title, exact: true }) })
    .locator('strong')

/** The value columns of the table below the chart, from the second one. */
const columns = async (page: Page, label: string): Promise<readonly number[][]> => {
  const rows = await page.getByRole('region', { name: label, exact: true }).getByRole('row').all()
  const cells = await Promise.all(rows.slice(1).map((row) => row.getByRole('cell').allTextContents()))
  return (cells[0] ?? []).map((_, at) => cells.map((row) => Number(row[at])))
}
const sum = (values: readonly number[] = []) => values.reduce((all, one) => all + one, 0)

const download = async (page: Page, name: string): Promise<readonly string[]> => {
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name, exact: true }).click()])
  expect(file.suggestedFilename()).toMatch(/\.csv$/)
  return (await readFile(await file.path(), 'utf8')).trim().split(/\r?\n/)
}

describe.each(STAFF_SCREENS)('the dashboard, %s', (screen) => {
  it('shows activity of a period and the previous one as cards, table and CSV files', async () => {
    const first = async () => (await admin().analytics.topMembers({ ...daysBack(7), limit: 5 })).members[0]?.display_name ?? ''
    // Other tests run at the same time, so the ranking may change.
    const before = await first()
    const { page, consoleErrors } = await visit(screen, '/admin', { as: ADMIN })
    await page.getByRole('heading', { name: 'Dashboard', level: 1 }).waitFor()
    for (const length of [90, 7]) {
      await page.getByText(`${length} days`, { exact: true }).click()
      const range = daysBack(length)
      const told = await admin().analytics.overviewWidget({ ...range, compare: true })
      await expect.poll(() => figure(page, 'New comments').textContent(), SOON).toBe(String(told.new_comments))
      expect(await figure(page, 'New posts').textContent()).toBe(String(told.new_posts))
      expect(await figure(page, 'Active spaces').textContent()).toBe(String(told.active_spaces))
    }
    const { width = 0, height = 0 } = page.viewportSize() ?? {}
    const areas = page.getByRole('combobox', { name: 'Administration' })
    for (const narrow of [390, 768, 860]) {
      await page.setViewportSize({ width: narrow, height })
      await areas.waitFor()
      expect([narrow, await page.evaluate('document.scrollingElement.scrollWidth')]).toEqual([narrow, narrow])
    }
    await page.setViewportSize({ width, height })
    const week = daysBack(7)
    const { data: days } = await admin().analytics.overviewActivity({ ...week, interval: 'day' })

    await page.getByText('Comments', { exact: true }).click()
    await page.getByText('Show as table').click()
    await expect.poll(async () => (await columns(page, 'Comments'))[0], SOON).toEqual(days.map(({ comments }) => comments))
    await page.getByRole('columnheader', { name: 'Previous period' }).waitFor()
    expect(sum((await columns(page, 'Comments'))[1])).toBeGreaterThan(0)
    await page.getByLabel('Compare to previous period').uncheck()
    await page.getByRole('columnheader', { name: 'Previous period' }).waitFor({ state: 'detached' })
    expect(await columns(page, 'Comments')).toHaveLength(1)

    const [head, ...lines] = await download(page, 'Download CSV: Activity')
    const at = head?.split(',').indexOf('comments') ?? -1
    expect(lines.map((line) => Number(line.split(',')[at]))).toEqual(days.map(({ comments }) => comments))

    const { peak_day } = await admin().analytics.popularDayTime(week)
    await page.getByText(`Most activity on ${peak_day}`).waitFor()
    const list = (title: string) => page.getByRole('heading', { name: title }).locator('xpath=../..').getByRole('listitem')
    const names = await list('Most active members').allTextContents()
    expect(names).toHaveLength(5)
    expect([before, await first()].filter((name) => names[0]?.includes(name))).not.toEqual([])
    for (const title of ['Most active members', 'Top posters', 'Top commenters', 'Most active spaces'])
      expect([title, await list(title).getByRole('link').count()]).toEqual([title, await list(title).count()])
    const people = await download(page, 'Download CSV: Most active members')
    expect([before, await first()].filter((name) => people[1]?.includes(name))).not.toEqual([])
    const [fields, figures] = (await download(page, 'Download CSV: Overview')).map((line) => line.split(','))
    const commented = Number(figures?.[fields?.indexOf('new_comments') ?? -1])
    expect(commented).toBeGreaterThanOrEqual(sum(days.map(({ comments }) => comments)))
    expect(commented).toBeLessThanOrEqual((await admin().analytics.overviewWidget(week)).new_comments)
    const foremost = list('Top commenters').getByRole('link').first()
    const name = (await foremost.textContent()) ?? ''
    await foremost.click()
    await page.getByRole('heading', { name, level: 1 }).waitFor()
    expect(new URL(page.url()).pathname).toMatch(/^\/people\/[a-z0-9_-]+$/)
    expect(consoleErrors).toEqual([])
  })

  it('is hidden from members; a moderator opens the first allowed page', async () => {
    const [mina, otto] = [await person('Mina Moser'), await person('Otto Odell')]
    await admin().managers.save({ user_id: otto.id, role: 'moderator' })
    const member = await visit(screen, '/admin', { as: mina })
    await member.page.getByRole('feed').waitFor()
    expect(new URL(member.page.url()).pathname).toBe('/')
    await member.page.getByRole('button', { name: 'Account menu' }).click()
    await member.page.getByRole('menuitem', { name: 'Settings' }).waitFor()
    expect(await member.page.getByRole('menuitem', { name: 'Administration' }).count()).toBe(0)

    const { page, consoleErrors } = await visit(screen, '/admin', { as: otto })
    for (const path of ['/admin', '/admin/general']) {
      await page.goto(path)
      await page.getByRole('heading', { name: 'Moderation queue', level: 1 }).waitFor()
      expect(new URL(page.url()).pathname).toBe('/admin/queue')
    }
    expect([...member.consoleErrors, ...consoleErrors]).toEqual([])
  })
})
