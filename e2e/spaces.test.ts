import { describe, expect } from 'vitest'
import { ADMIN, admin, inTurn, person, SCREENS, type Screen, unique, visit } from './browser.ts'
import { unexpectedErrors } from './console-errors.ts'

const makeSpace = async (title: string, more: Omit<Parameters<ReturnType<typeof admin>['spaces']['create']>[0], 'title'> = {}) =>
  (await admin().spaces.create({ title: unique(title), ...more })).data

describe.each(Object.keys(SCREENS) as Screen[])('spaces, %s', (screen) => {
  const journey = inTurn(screen)

  journey('a public one is found, joined, filtered by topic with the pinned post first, and left', async () => {
    const space = await makeSpace('Orchard keepers')
    const { id: topic } = await admin().adminTopics.create({ title: `Grafting ${space.id}`, space_ids: [space.id] })
    const write = (message: string, more: object) => admin().feeds.create({ message, space_id: space.id, ...more })
    await write('Read this first', { is_sticky: true })
    await write('How to graft', { topic_ids: [topic] })
    await write('Apples are ripe', {})
    const mia = await person('Mia Sund')
    const { page, consoleErrors } = await visit(screen, `/spaces/${space.slug}/members`, { as: mia })
    await page.getByRole('heading', { name: 'Only members of this space can see its members' }).waitFor()

    await page.getByRole('link', { name: 'Spaces', exact: true }).click()
    await page.getByRole('searchbox', { name: 'Search spaces' }).fill(space.title)
    await page.getByRole('button', { name: `Join ${space.title}` }).click()
    await page.getByRole('button', { name: `Joined. Leave ${space.title}` }).waitFor()
    await page.getByRole('main').getByRole('link', { name: space.title }).click()
    await page.getByText('Apples are ripe').waitFor()
    expect(await page.getByRole('article').first().textContent()).toContain('Read this first')
    await page
      .getByRole('navigation', { name: 'Topics' })
      .getByRole('link', { name: `#Grafting ${space.id}` })
      .click()
    await page.getByText('Apples are ripe').waitFor({ state: 'detached' })
    await page.reload()
    await page.getByText('How to graft').waitFor()
    expect(await page.getByText('Apples are ripe').count()).toBe(0)
    await page.getByRole('link', { name: 'Members', exact: true }).last().click()
    await page.getByRole('link', { name: 'Mia Sund' }).waitFor()

    await page.getByRole('button', { name: `Joined. Leave ${space.title}` }).click()
    await page.getByRole('button', { name: `Join ${space.title}` }).waitFor()
    await expect.poll(async () => (await mia.client.spaces.bySlug({ space_slug: space.slug })).data.is_member).toBe(false)
    expect(consoleErrors).toEqual([])
  })

  journey('a private one approves one request, changes a role and declines another', async () => {
    const space = await makeSpace('Committee', { privacy: 'private' })
    await admin().feeds.create({ message: 'For us alone', space_id: space.id })
    const [rosa, otto, lars] = await Promise.all([person('Rosa Vance'), person('Otto Kern'), person('Lars Moen')])
    await admin().spaceMembers.add({ space_slug: space.slug, user_id: rosa.id, role: 'admin' })
    await lars.client.spaceMembers.join({ space_slug: space.slug })

    const asking = await visit(screen, `/spaces/${space.slug}`, { as: otto })
    await asking.page.getByRole('heading', { name: 'Members only' }).waitFor()
    await asking.page.getByRole('button', { name: `Request to join ${space.title}` }).click()
    await asking.page.getByRole('heading', { name: 'Request pending' }).waitFor()
    const pivotOf = async ({ client }: typeof otto) => (await client.spaces.bySlug({ space_slug: space.slug })).data.space_pivot
    await expect.poll(async () => (await pivotOf(otto))?.status).toBe('pending')

    const { page, consoleErrors } = await visit(screen, `/spaces/${space.slug}/members`, { as: rosa })
    await page.getByText('Requests (2)').click()
    await page.getByRole('button', { name: 'Approve Otto Kern' }).click()
    await page.getByText('Otto Kern is now a member').waitFor()
    await page.getByRole('button', { name: 'Decline Lars Moen' }).click()
    await page.getByRole('heading', { name: 'No pending requests' }).waitFor()
    expect(await pivotOf(lars)).toBeNull()

    await asking.page.getByText('For us alone').waitFor()

    await page.getByText('Members', { exact: true }).last().click()
    await page.getByRole('button', { name: 'Actions for Otto Kern' }).click()
    await page.getByRole('menuitem', { name: 'Make moderator' }).click()
    await page.getByText('Role of Otto Kern changed').waitFor()
    await page.reload()
    await page.getByRole('listitem').filter({ hasText: 'Otto Kern' }).getByText('Moderator').waitFor()
    expect((await pivotOf(otto))?.role).toBe('moderator')

    await asking.page.getByRole('link', { name: 'Members', exact: true }).last().click()
    await asking.page.getByRole('link', { name: 'Rosa Vance' }).waitFor()
    expect(await asking.page.getByRole('button', { name: 'Add members' }).count()).toBe(0)

    await admin().spaceMembers.leave({ space_slug: space.slug })
    const running = await visit(screen, `/spaces/${space.slug}`, { as: ADMIN })
    await running.page.getByText('For us alone').waitFor()
    await running.page.getByRole('button', { name: /^What would you like to share/ }).waitFor()
    await running.page.getByRole('button', { name: `Join ${space.title}` }).click()
    await running.page.getByRole('button', { name: `Joined. Leave ${space.title}` }).waitFor()
    expect([...consoleErrors, ...asking.consoleErrors, ...running.consoleErrors]).toEqual([])
  })

  journey('a new one is created; a taken URL loses nothing', async () => {
    const taken = await makeSpace('First come')
    const title = unique('Night sky')
    const { page, consoleErrors } = await visit(screen, '/spaces', { as: ADMIN })
    await page.getByRole('link', { name: 'New space' }).click()
    await page.getByLabel('Title').fill(title)
    await page.getByLabel('Description').fill('Stars, and how to find them.')
    await page.getByLabel('URL').fill(taken.slug)
    await page.getByRole('radio', { name: /^Private/ }).check()
    await page.getByRole('button', { name: 'Create space' }).click()
    await page.getByRole('alert').waitFor()
    expect(await page.getByLabel('Description').inputValue()).toBe('Stars, and how to find them.')
    await page.getByLabel('URL').fill('')
    await page.getByRole('button', { name: 'Create space' }).click()
    await page.getByRole('heading', { level: 1, name: title }).waitFor()
    const slug = new URL(page.url()).pathname.split('/')[2] ?? ''
    expect((await admin().spaces.bySlug({ space_slug: slug })).data).toMatchObject({ title, privacy: 'private', role: 'admin' })
    expect(unexpectedErrors(consoleErrors, 400)).toEqual([])
  })

  journey('settings, topics, links and lock screen are saved, and outsiders see the lock screen', async () => {
    const space = await makeSpace('Reading room', { privacy: 'private' })
    const other = await makeSpace('Elsewhere')
    const { id: topic, title: novels } = await admin().adminTopics.create({ title: `Novels ${space.id}`, space_ids: [other.id] })
    const { page, consoleErrors } = await visit(screen, `/spaces/${space.slug}/settings`, { as: ADMIN })
    await page.getByLabel('Description').fill('Books of *all* kinds.')
    await page.getByLabel('All members can post').uncheck()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Space saved').waitFor()
    await page.getByRole('button', { name: 'Close' }).first().click()

    await page.getByRole('checkbox', { name: novels }).check()
    await page.getByRole('button', { name: 'Save topics' }).click()
    await page.getByText('Space saved').waitFor()
    await page.getByRole('button', { name: 'Close' }).first().click()

    await page.getByRole('button', { name: 'Add link' }).click()
    const link = page.getByRole('group', { name: 'New link' })
    await link.getByLabel('Name').fill('Library')
    await page.getByRole('group', { name: 'Library' }).getByLabel('URL').fill('https://example.org/library')
    await page.getByRole('button', { name: 'Save links' }).click()
    await page.getByText('Space saved').waitFor()
    await page.getByRole('button', { name: 'Close' }).first().click()

    await page.getByLabel('Use a custom lock screen').check()
    await page.getByRole('button', { name: 'Add block' }).click()
    await page.getByLabel('Heading').fill('Come and read')
    await page.getByLabel('Text', { exact: true }).fill('We meet on Thursdays.')
    await page.getByLabel('Button label').fill('How it works')
    await page.getByLabel('Button link').fill('https://example.org/how')
    await page.getByRole('button', { name: 'Save lock screen' }).click()
    await page.getByText('Space saved').waitFor()

    await page.reload()
    expect(await page.getByLabel('Heading').inputValue()).toBe('Come and read')
    expect(await page.getByLabel('Use a custom lock screen').isChecked()).toBe(true)
    await page.getByLabel('Use a custom lock screen').uncheck()
    await page.getByRole('button', { name: 'Save lock screen' }).click()
    await page.getByText('Space saved').waitFor()
    await admin().spaces.saveLockscreens({ space_slug: space.slug, enabled: true })
    await page.reload()
    expect(await page.getByLabel('Use a custom lock screen').isChecked()).toBe(true)
    expect(await page.getByRole('checkbox', { name: novels }).isChecked()).toBe(true)
    expect(await page.getByRole('group', { name: 'Library' }).getByLabel('URL').inputValue()).toBe('https://example.org/library')
    const { data } = await admin().spaces.bySlug({ space_slug: space.slug })
    expect(data).toMatchObject({ description: 'Books of *all* kinds.', settings: { post_permissions: ['moderator', 'admin'] } })
    expect(data.topics.map(({ id }) => id)).toContain(topic)
    await page.getByRole('link', { name: 'About', exact: true }).click()
    expect(await page.getByRole('link', { name: 'Library' }).getAttribute('href')).toBe('https://example.org/library')

    const outside = await visit(screen, `/spaces/${space.slug}`, { as: await person('Uma Frey') })
    await outside.page.getByRole('heading', { name: 'Come and read' }).waitFor()
    await outside.page.getByText('We meet on Thursdays.').waitFor()
    expect(await outside.page.getByRole('link', { name: 'How it works' }).getAttribute('href')).toBe('https://example.org/how')
    expect([...consoleErrors, ...outside.consoleErrors]).toEqual([])
  })

  journey('one is deleted, and no data of it is requested during the deletion', async () => {
    const space = await makeSpace('Summer camp', { privacy: 'private' })
    const { page, consoleErrors } = await visit(screen, `/spaces/${space.slug}/settings`, { as: ADMIN })
    await Promise.all([page.waitForResponse(/\/stream/), page.reload()])
    await page.getByRole('button', { name: 'Delete space' }).click()
    // The stream announces the deletion before the request is answered.
    await page.route(/\/spaces\/\d+\/by-id$/, async (route) => {
      if (route.request().method() !== 'DELETE') return route.continue()
      const refetched = page.waitForResponse(/\/topics\?/)
      const response = await route.fetch()
      await refetched
      return route.fulfill({ response })
    })
    await page.getByRole('dialog').getByRole('button', { name: 'Delete space' }).click()
    await page.getByText('Space deleted').waitFor()
    await page.getByRole('heading', { level: 1, name: 'Spaces' }).waitFor()
    await expect(admin().spaces.bySlug({ space_slug: space.slug })).rejects.toMatchObject({ code: 'space_not_found' })
    expect(consoleErrors).toEqual([])
  })
})
