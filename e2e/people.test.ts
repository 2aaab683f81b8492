import { describe, expect, it } from 'vitest'
import { MEMBER_SCREENS, person, visit } from './browser.ts'
import { PICTURE } from './pictures.ts'

describe.each(MEMBER_SCREENS)('people, %s', (screen) => {
  it('a profile with a picture is edited and seen by others', async () => {
    const noa = await person('Noa Winter')
    const { page, complaints } = await visit(screen, '/account', { as: noa })
    const choosing = page.waitForEvent('filechooser')
    await page.getByRole('group', { name: 'Profile picture' }).getByRole('button', { name: 'Choose a picture' }).click()
    await (await choosing).setFiles({ name: 'me.png', mimeType: 'image/png', buffer: PICTURE })
    await page.getByRole('group', { name: 'Profile picture' }).getByRole('button', { name: 'Change' }).waitFor()
    await page.getByLabel('Name', { exact: true }).fill('Noa W. Winter')
    await page.getByLabel('Bio').fill('Grows **beans**.')
    await page.getByLabel('Location').fill('Malmö')
    await page.getByLabel('Website').fill('https://example.org/noa')
    await page.getByLabel('YouTube').fill('nonsense')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.locator('input:invalid').waitFor()
    await page.getByLabel('YouTube').fill('https://www.youtube.com/@noa')
    await page.getByLabel('LinkedIn').fill('https://elsewhere.example/noa')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Profile saved').waitFor()
    await page.reload()
    expect(await page.getByLabel('Location').inputValue()).toBe('Malmö')
    // Unsaved changes are not lost by leaving the page.
    await page.getByLabel('Location').fill('Lund')
    await page.getByRole('link', { name: 'View profile' }).click()
    await page.getByRole('dialog', { name: 'Discard unsaved changes?' }).getByRole('button', { name: 'Cancel' }).click()
    expect(await page.getByLabel('Location').inputValue()).toBe('Lund')
    await page.getByLabel('Location').fill('Malmö')
    await page.getByRole('link', { name: 'View profile' }).click()
    await page.getByRole('heading', { level: 1, name: 'Noa W. Winter' }).waitFor()
    await page.getByRole('link', { name: 'Edit profile' }).waitFor()

    const other = await visit(screen, `/people/${noa.username}`, { as: await person('Pia Moser') })
    await other.page.getByText('Grows beans.').waitFor()
    await other.page.getByText('Malmö').waitFor()
    expect(await other.page.getByRole('link', { name: 'YouTube' }).getAttribute('href')).toBe('https://www.youtube.com/@noa')
    // A link shows the name of a site only if it points there.
    await other.page.getByRole('link', { name: 'elsewhere.example/noa' }).waitFor()
    expect(await other.page.getByRole('link', { name: 'LinkedIn' }).count()).toBe(0)
    const { avatar } = (await noa.client.profiles.get({ username: 'me' })).profile
    expect((await other.page.request.get(avatar)).headers()['content-type']).toMatch(/^image\//)
    expect([...complaints, ...other.complaints]).toEqual([])
  })

  it('a member is found, followed, viewed and unfollowed', async () => {
    const name = `Sam ${screen}`
    const [kim, sam] = [await person('Kim Aalto'), await person(name)]
    const { data: post } = await sam.client.feeds.create({ message: 'Tomatoes at last' })
    await sam.client.comments.create({ feed_id: post.id, comment: 'I forgot to say: red ones' })
    const { page, complaints } = await visit(screen, '/people', { as: kim })
    await page.getByRole('searchbox', { name: 'Search members' }).fill(sam.username)
    await page.getByRole('link', { name }).click()
    await page.getByRole('button', { name: 'Follow', exact: true }).click()
    await page.getByRole('button', { name: `Following. Unfollow ${name}` }).waitFor()
    await page.getByText('1 follower', { exact: true }).waitFor()
    await page.getByText('Tomatoes at last').waitFor()
    const tabs = page.getByRole('navigation', { name })
    await tabs.getByRole('link', { name: 'Comments' }).click()
    await page.getByText('I forgot to say: red ones').waitFor()
    await tabs.getByRole('link', { name: 'Followers' }).click()
    await page.getByRole('list', { name: 'Followers' }).getByRole('link', { name: 'Kim Aalto' }).waitFor()
    await tabs.getByRole('link', { name: 'Activity' }).click()
    await page
      .getByRole('listitem')
      .filter({ hasText: `${name} published` })
      .waitFor()

    await page.getByRole('button', { name: `Following. Unfollow ${name}` }).click()
    await page.getByRole('button', { name: 'Follow', exact: true }).waitFor()
    await page.reload()
    await page.getByText('0 followers', { exact: true }).waitFor()
    await expect.poll(async () => (await kim.client.followers.status({ username: sam.username })).data.status).toBe('')
    expect(complaints).toEqual([])
  })

  it('a private profile gets requests; one is accepted, one declined, and a follower removed', async () => {
    const [eva, jon, ulf] = [await person('Eva Stein'), await person('Jon Dahl'), await person('Ulf Berg')]
    await eva.client.profiles.update({ username: 'me', is_private: true })
    await ulf.client.followers.follow({ username: eva.username })
    const asking = await visit(screen, `/people/${eva.username}/followers`, { as: jon })
    await asking.page.getByRole('heading', { name: 'Only visible to followers' }).waitFor()
    await asking.page.getByRole('button', { name: 'Request to follow' }).click()
    await asking.page.getByRole('button', { name: 'Requested. Cancel request to follow Eva Stein' }).waitFor()

    const { page, complaints } = await visit(screen, '/people', { as: eva })
    await page.getByRole('link', { name: '2 follow requests' }).click()
    await page.getByRole('button', { name: 'Accept the request from Jon Dahl', exact: true }).click()
    await page.getByRole('button', { name: 'Decline the request from Ulf Berg' }).click()
    await page.getByRole('heading', { name: 'No follow requests' }).waitFor()
    await expect.poll(async () => (await jon.client.followers.status({ username: eva.username })).data.status).toBe('active')
    await expect.poll(async () => (await ulf.client.followers.status({ username: eva.username })).data.status).toBe('')

    await asking.page.reload()
    await asking.page.getByRole('list', { name: 'Followers' }).getByRole('link', { name: 'Jon Dahl' }).waitFor()

    await page.goto(`/people/${eva.username}/followers`)
    await page.getByRole('button', { name: 'Remove Jon Dahl from your followers' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await page.getByRole('heading', { name: 'No followers yet' }).waitFor()
    expect((await jon.client.followers.status({ username: eva.username })).data.status).toBe('')
    expect([...complaints, ...asking.complaints]).toEqual([])
  })

  it('the leaderboard shows the own rank', async () => {
    const ada = await person('Ada Quist')
    const { data: post } = await ada.client.feeds.create({ message: 'A post is worth something' })
    await (await person('Bo Falk')).client.reactions.toFeed({ feed_id: post.id, type: 'love' })
    const { page, complaints } = await visit(screen, '/leaderboard', { as: ada })
    await page.getByRole('radio', { name: 'All time' }).waitFor({ state: 'attached' })
    await page.getByText('All time').click()
    await page.getByRole('heading', { name: /^Your rank: \d+|^You don’t have a rank yet/ }).waitFor()
    await page.reload()
    expect(await page.getByRole('radio', { name: 'All time' }).isChecked()).toBe(true)
    const { current_user } = await ada.client.leaderboard.list({ period: 'all_time' })
    await page.getByText(`${current_user?.total_points} points`).first().waitFor()
    expect(complaints).toEqual([])
  })
})
