import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { admin, fullSize, inTurn, person, SCREENS, type Screen, visit } from './browser.ts'

const SIX = ['Like', 'Love', 'Laugh', 'Wow', 'Sad', 'Angry']
/** The last one on both screens, the others in turn, in a long run all on both. */
const triedOn = (screen: Screen) => SIX.filter((name, at) => fullSize || name === 'Angry' || (at % 2 === 0) === (screen === 'desktop'))

/** Makes the next matching request fail. */
const refuseOnce = (page: Page, address: RegExp) =>
  page.route(address, (route) => (route.request().method() === 'POST' ? route.fulfill({ status: 503, json: {} }) : route.fallback()), {
    times: 1,
  })

/** Opens the reaction picker by hovering over the button or by a long press. */
const faces = async (page: Page, screen: Screen) => {
  const button = page
    .getByRole('article')
    .first()
    .getByRole('button', { name: /^(👍|❤️|😂|😮|😢|😠)?\s*(Like|Love|Laugh|Wow|Sad|Angry)$/ })
    .first()
  if (screen === 'desktop') {
    await page.mouse.move(0, 0)
    await button.hover()
  } else await button.dispatchEvent('pointerdown', { pointerType: 'touch', bubbles: true })
  const row = page.getByRole('group', { name: 'React' }).first()
  await row.waitFor()
  if (screen === 'phone') await button.dispatchEvent('pointerup', { pointerType: 'touch', bubbles: true })
  return row
}

describe.each(Object.keys(SCREENS) as Screen[])('a conversation, %s', (screen) => {
  const journey = inTurn(screen)

  journey('comments and replies are created, edited and deleted; errors and reloads lose nothing', async () => {
    const [ada, ben] = [await person('Ada Moreau'), await person('Ben Sorrel')]
    const { data: post } = await ada.client.feeds.create({ title: 'Which beans?', message: 'Tell me' })
    const { data: first } = await ada.client.comments.create({ feed_id: post.id, comment: 'Anybody?' })
    const { page, consoleErrors } = await visit(screen, `/feeds/${post.slug}`, { as: ben })
    const write = page.getByRole('textbox', { name: 'Write a comment' })
    await write.click()
    await page.getByRole('toolbar', { name: 'Formatting' }).waitFor()
    await page.keyboard.insertText('Scarlet ')
    await page.keyboard.type('**runners**')
    await refuseOnce(page, /\/comments$/)
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByRole('alert').waitFor()
    await write.getByRole('strong').filter({ hasText: 'runners' }).waitFor()
    await page.reload()
    await write.getByRole('strong').filter({ hasText: 'runners' }).waitFor()
    await write.press('Control+Enter')
    const own = page.getByRole('article', { name: 'Comment by Ben Sorrel' })
    await own.getByText('Scarlet').waitFor()
    await expect.poll(() => write.textContent()).toBe('')
    await page.getByRole('heading', { name: '2 comments' }).waitFor()

    const question = page.getByRole('article', { name: 'Comment by Ada Moreau' })
    await question.getByRole('button', { name: 'Reply' }).click()
    await page.getByRole('textbox', { name: 'Write a reply' }).pressSequentially('Me :sunfl')
    await page.getByRole('option', { name: 'sunflower' }).click()
    await page.getByRole('button', { name: 'Send' }).first().click()
    await own.getByText('Me 🌻').waitFor()
    await own
      .filter({ hasText: 'Me 🌻' })
      .getByRole('button', { name: /^(Post actions|Actions for)/ })
      .click()
    await page.getByRole('menuitem', { name: 'Edit' }).click()
    await own.getByRole('textbox').fill('Pole beans')
    await own.getByRole('button', { name: 'Save' }).click()
    await own.getByText('Pole beans').waitFor()
    const messages = async () => (await ada.client.comments.list({ feed_id: post.id })).comments.map(({ message }) => message).sort()
    await expect.poll(messages).toEqual(['Anybody?', 'Pole beans', 'Scarlet **runners**'])

    await own
      .filter({ hasText: 'Pole beans' })
      .getByRole('button', { name: /^(Post actions|Actions for)/ })
      .click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await own.filter({ hasText: 'Pole beans' }).waitFor({ state: 'detached' })
    await page.getByRole('heading', { name: '2 comments' }).waitFor()

    await ada.client.comments.create({ feed_id: post.id, parent_id: first.id, comment: 'Thanks to all' })
    await page.getByText('Thanks to all').waitFor()
    await page.getByRole('heading', { name: '3 comments' }).waitFor()
    await page.getByRole('button', { name: '3 comments' }).waitFor()
    await page.reload()
    await page.getByRole('heading', { name: '3 comments' }).waitFor()
    await expect.poll(() => own.count()).toBe(1)
    expect(consoleErrors.filter((line) => !line.includes('503'))).toEqual([])
  })

  journey('typed text is published literally, and editing shows the original text', async () => {
    const [ada, ben] = [await person('Ada Moreau'), await person('Ben Sorrel')]
    const { data: post } = await ada.client.feeds.create({ title: 'Which beans?', message: 'Tell me' })
    const { page, consoleErrors } = await visit(screen, `/feeds/${post.slug}`, { as: ben })
    const typed = ['# first', '1) of * all', '+ 2 * 3 * 4', '> https://example.org/a_b_c']
    // Text typed before the editor is loaded counts, and so do keys pressed as soon as it is shown.
    const typedFirst = Promise.withResolvers<void>()
    await page.route(/rich-editor/, async (route) => {
      await typedFirst.promise
      await route.continue()
    })
    await page.getByRole('textbox', { name: 'Write a comment' }).pressSequentially('# ')
    typedFirst.resolve()
    await page.getByRole('toolbar', { name: 'Formatting' }).waitFor()
    await page.keyboard.type('first')
    for (const line of typed.slice(1)) {
      await page.keyboard.press('Shift+Enter')
      await page.keyboard.insertText(line)
    }
    await page.getByRole('button', { name: 'Send' }).click()
    const own = page.getByRole('article', { name: 'Comment by Ben Sorrel' })
    await own.getByRole('link', { name: 'https://example.org/a_b_c' }).waitFor()
    expect(await own.getByRole('paragraph').filter({ hasText: '# first' }).innerText()).toBe(typed.join('\n'))

    const written = 'one\ntwo *three*\n\n| a | b |\n|---|---|\n| 1 | 2 |'
    const { data: other } = await ben.client.comments.create({ feed_id: post.id, comment: written })
    await page.reload()
    const edit = async (comment: ReturnType<Page['locator']>) => {
      await comment.getByRole('button', { name: /^(Post actions|Actions for)/ }).click()
      await page.getByRole('menuitem', { name: 'Edit' }).click()
    }
    await edit(own.first())
    await own.first().getByRole('toolbar', { name: 'Formatting' }).waitFor()
    expect(await own.first().getByRole('textbox').innerText()).toBe(typed.join('\n'))
    await own.first().getByRole('button', { name: 'Cancel' }).click()
    await edit(own.last())
    await expect.poll(() => own.last().getByRole('textbox').inputValue()).toBe(written)
    await own.last().getByRole('button', { name: 'Save' }).click()
    await own.last().getByRole('cell', { name: '2' }).waitFor()
    expect((await ben.client.comments.byId({ comment_id: other.id })).data.message).toBe(written)
    expect(consoleErrors).toEqual([])
  })

  it('reactions, the list of members who reacted, and rollback after an error', async () => {
    const [ada, ben] = [await person('Ada Moreau'), await person('Ben Sorrel')]
    const { data: post } = await ada.client.feeds.create({ message: 'First frost' })
    await ada.client.reactions.toFeed({ feed_id: post.id, type: 'wow' })
    const { data: comment } = await ada.client.comments.create({ feed_id: post.id, comment: 'Cover the beans' })
    await ada.client.reactions.toComment({ feed_id: post.id, comment_id: comment.id, type: 'sad' })
    const { page, consoleErrors } = await visit(screen, `/feeds/${post.slug}`, { as: ben })
    await expect.poll(() => page.getByRole('button', { name: '1 reaction: view details' }).allTextContents()).toEqual(['😮1', '😢1'])
    for (const name of triedOn(screen)) {
      await (await faces(page, screen)).getByRole('button', { name }).click()
      await page.getByRole('button', { name: '2 reactions: view details' }).waitFor()
      await expect
        .poll(async () => (await ada.client.reactions.ofFeed({ feed_id: post.id })).reactions.map(({ type }) => type).sort())
        .toEqual(['wow', name.toLowerCase()].sort())
    }
    await refuseOnce(page, /\/react$/)
    await (await faces(page, screen)).getByRole('button', { name: 'Love' }).click()
    await page.getByText('Something went wrong').waitFor()
    await page.getByRole('button', { name: /Angry/ }).first().waitFor()
    await page.reload()
    await page.getByRole('button', { name: '2 reactions: view details' }).click()
    const who = page.getByRole('dialog', { name: 'Reactions' })
    await who.getByRole('link', { name: /Ben Sorrel.*Angry/ }).waitFor()
    await who.getByRole('tab', { name: 'Wow' }).click()
    await who
      .getByRole('tabpanel')
      .getByRole('link', { name: /Ada Moreau/ })
      .waitFor()
    expect(await who.getByRole('tabpanel').getByRole('link').count()).toBe(1)
    await who.getByRole('tab', { name: 'Sad' }).click()
    await who.getByText('No one yet.').waitFor()
    await page.keyboard.press('Escape')
    await page
      .getByRole('button', { name: /Angry$/ })
      .first()
      .click()
    await expect.poll(() => page.getByRole('button', { name: '1 reaction: view details' }).count()).toBe(2)
    expect(consoleErrors.filter((line) => !line.includes('503'))).toEqual([])
  })

  journey('a bookmark is found on the bookmarks page and removed', async () => {
    const [ada, ben] = [await person('Ada Moreau'), await person('Ben Sorrel')]
    const { data: post } = await ada.client.feeds.create({ title: 'Compost, by the book', message: 'Layers' })
    const { page, consoleErrors } = await visit(screen, '/bookmarks', { as: ben })
    await page.getByRole('heading', { name: 'No bookmarks yet' }).waitFor()
    await page.goto(`/feeds/${post.slug}`)
    const keep = page.getByRole('button', { name: 'Bookmark', exact: true })
    await keep.click()
    await expect.poll(() => keep.getAttribute('aria-pressed')).toBe('true')
    await expect.poll(async () => (await ben.client.bookmarks.list()).data.length).toBe(1)
    if (screen === 'desktop') await page.getByRole('link', { name: 'Bookmarks' }).click()
    else {
      await page.getByRole('button', { name: 'Account menu' }).click()
      await page.getByRole('menuitem', { name: 'Bookmarks' }).click()
    }
    await page.getByRole('link', { name: 'Compost, by the book' }).waitFor()
    await refuseOnce(page, /\/react$/)
    await keep.click()
    await page.getByText('Something went wrong').waitFor()
    expect(await keep.getAttribute('aria-pressed')).toBe('true')
    await keep.click()
    await expect.poll(async () => (await ben.client.bookmarks.list()).data.length).toBe(0)
    await page.reload()
    await page.getByRole('heading', { name: 'No bookmarks yet' }).waitFor()
    expect(consoleErrors.filter((line) => !line.includes('503'))).toEqual([])
  })

  journey('a post and a comment are reported, with details for other reasons', async () => {
    const [ada, ben] = [await person('Ada Moreau'), await person('Ben Sorrel')]
    const { data: post } = await ada.client.feeds.create({ message: 'Buy my seeds' })
    const { data: comment } = await ada.client.comments.create({ feed_id: post.id, comment: 'Really cheap' })
    const { page, consoleErrors } = await visit(screen, `/feeds/${post.slug}`, { as: ben })
    await page.getByRole('button', { name: 'Post actions' }).click()
    await page.getByRole('menuitem', { name: 'Report' }).click()
    await page.getByRole('button', { name: 'Spam or advertising' }).click()
    await page.getByText('Thank you. A moderator will review your report').waitFor()
    await page.getByRole('button', { name: 'Actions for the comment by Ada Moreau' }).click()
    await page.getByRole('menuitem', { name: 'Report' }).click()
    await page.getByRole('button', { name: 'Something else…' }).click()
    await page.getByLabel('Add details for the moderators').fill('They sell weeds')
    await page.getByRole('dialog').getByRole('button', { name: 'Send' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    const { reports } = await admin().moderation.reports({ per_page: 100 })
    const about = reports.filter(({ reporter_id }) => reporter_id === ben.id)
    expect(about.map(({ object_id, reason }) => [object_id, reason]).sort()).toEqual(
      [
        [post.id, 'spam'],
        [comment.id, 'other'],
      ].sort(),
    )
    expect(consoleErrors).toEqual([])
  })
})
