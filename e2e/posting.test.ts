import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { describe, expect, onTestFinished } from 'vitest'
import { ERRORS } from '../packages/contract/src/errors.ts'
import { inTurn, person, SCREENS, type Screen, show, unique, visit } from './browser.ts'

/** A URL whose underscores are not emphasis. */
const SOURDOUGH = 'https://en.wikipedia.org/wiki/Sourdough_bread_baking'

/** Pasted HTML with a heading and a table. */
const PASTED = `{
  const data = new DataTransfer()
  data.setData('text/html', '<h1>Harvest</h1><table><tr><td>Beans</td><td>12</td></tr></table>')
  document.activeElement.dispatchEvent(new ClipboardEvent('paste', { bubbles: true, cancelable: true, clipboardData: data }))
}`

/** Opens the composer; its text field has the focus. */
const write = async (page: Page) => {
  await page.getByRole('button', { name: /^What would you like to share/ }).click()
  const text = page.getByRole('textbox', { name: 'Your post' })
  await text.and(page.locator(':focus')).waitFor()
  return text
}

/** Pastes or drops an image into a field. */
const HANDED = `(field, [kind, content]) => {
  const data = new DataTransfer()
  const bytes = Uint8Array.from(atob(content), (sign) => sign.charCodeAt(0))
  data.items.add(new File([bytes], kind + '.png', { type: 'image/png' }))
  const { x, y } = field.getBoundingClientRect()
  const at = { bubbles: true, cancelable: true, clientX: x + 20, clientY: y + 20 }
  const event = kind === 'paste' ? new ClipboardEvent('paste', { ...at, clipboardData: data }) : new DragEvent('drop', { ...at, dataTransfer: data })
  field.dispatchEvent(event)
}`
const give = async (page: Page, how: 'paste' | 'drop', picture: Buffer) => {
  await page.getByRole('textbox', { name: 'Your post' }).focus()
  await page.evaluate(`(${HANDED})(document.activeElement, ${JSON.stringify([how, picture.toString('base64')])})`)
}

/** A `datetime-local` value that many hours from now. */
const inHours = (hours: number) => {
  const moment = new Date(Date.now() + hours * 3_600_000)
  return new Date(moment.getTime() - moment.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

describe.each(Object.keys(SCREENS) as Screen[])('posting, %s', (screen) => {
  const journey = inTurn(screen)

  journey('a formatted text with a mention and an emoji is saved as a draft, published, and read by the mentioned member', async () => {
    // A unique name, so that there is exactly one suggestion.
    const [ada, ben] = [await person('Ada Moreau'), await person(`Quirin ${screen}`)]
    const { page, consoleErrors } = await visit(screen, '/', { as: ada })
    await write(page)
    await page.getByRole('button', { name: 'Heading', exact: true }).click()
    await page.keyboard.insertText('Beans and roses')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Bold' }).click()
    await page.keyboard.insertText('Come early')
    await page.getByRole('button', { name: 'Bold' }).click()
    await page.keyboard.insertText(`, says @${ben.username.slice(0, -2)}`)
    await page.getByRole('option', { name: new RegExp(`@${ben.username}$`) }).click()
    await page.getByRole('button', { name: 'Emoji' }).click()
    await page.getByRole('searchbox', { name: 'Search emoji' }).fill('party')
    await page.getByRole('button', { name: 'party' }).first().click()
    await page.getByRole('textbox', { name: 'Your post' }).getByText('🥳').waitFor()
    await page.keyboard.press('Enter')
    await page.keyboard.type('# is a hash')
    await page.keyboard.press('Enter')
    await page.keyboard.type('1) ')
    await page.keyboard.insertText(SOURDOUGH)
    await page.keyboard.type(' is * good')
    await page.keyboard.press('Enter')
    await page.evaluate(PASTED)

    await page.reload()
    const text = await write(page)
    await text.getByRole('heading', { name: 'Beans and roses' }).waitFor()
    expect(await text.textContent()).toContain(`Come early, says @${ben.username} 🥳`)
    await page.getByRole('button', { name: 'Post', exact: true }).click()
    await page.getByText('Post published').waitFor()
    const post = page.getByRole('article').filter({ hasText: ben.username })
    await post.getByRole('heading', { name: 'Beans and roses' }).waitFor()
    await post.getByRole('strong').filter({ hasText: 'Come early' }).waitFor()
    await post
      .getByRole('paragraph')
      .filter({ hasText: /^# is a hash$/ })
      .waitFor()
    await post
      .getByRole('paragraph')
      .filter({ hasText: `1) ${SOURDOUGH} is * good` })
      .waitFor()
    await post.getByRole('heading', { level: 2, name: 'Harvest' }).waitFor()
    await post.getByRole('paragraph').filter({ hasText: 'Beans | 12' }).waitFor()
    expect(await post.getByRole('link', { name: SOURDOUGH }).getAttribute('href')).toBe(SOURDOUGH)

    await expect.poll(async () => (await ben.client.notifications.list()).notifications.data.map(({ type }) => type)).toContain('mention')
    await post.getByRole('link', { name: `@${ben.username}` }).click()
    await page.getByRole('heading', { level: 1, name: ben.name }).waitFor()
    await page.goBack()
    await page.reload()
    await post.getByRole('heading', { name: 'Beans and roses' }).waitFor()
    expect(await (await write(page)).textContent()).toBe('')
    // An unreachable URL has no preview.
    expect(consoleErrors.filter((line) => !line.includes('/oembed'))).toEqual([])
  })

  journey('Markdown is published as written, and an error loses nothing', async () => {
    const ada = await person('Ada Moreau')
    const ending = unique('and a word')
    const { page, consoleErrors } = await visit(screen, '/', { as: ada })
    await write(page)
    await page.getByRole('button', { name: 'Switch to Markdown' }).click()
    const text = page.getByRole('textbox', { name: 'Your post' })
    await text.fill(`${'y'.repeat(64_100)} **end**`)
    await page.getByRole('button', { name: 'Post', exact: true }).click()
    await page.getByRole('alert').waitFor()
    expect(await text.inputValue()).toContain('**end**')
    await text.fill(`**Three** things:\n\n- one\n- \`two\`\n\n> ${ending}`)
    await page.getByRole('button', { name: 'Post', exact: true }).click()
    const post = page.getByRole('article').filter({ hasText: ending })
    await post.getByText('Three', { exact: true }).waitFor()
    expect(await post.getByRole('listitem').allTextContents()).toEqual(['one', 'two'])
    await post.getByRole('blockquote').waitFor()
    expect(consoleErrors.filter((line) => !line.includes('400'))).toEqual([])
  })

  journey('images are selected, pasted, dropped, described and opened', async () => {
    const ada = await person('Ada Moreau')
    const words = unique('Three views of the shed')
    const { page, consoleErrors } = await visit(screen, '/', { as: ada })
    await page.getByRole('feed').waitFor()
    const picture = await page.screenshot({ clip: { x: 0, y: 0, width: 320, height: 200 } })
    await write(page)
    await page.keyboard.insertText(words)
    const chooser = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: 'Add pictures, videos or audio' }).click()
    await (await chooser).setFiles({ name: 'shed.png', mimeType: 'image/png', buffer: picture })
    await page.getByLabel('Description of picture 1').fill('The shed from the south')
    await give(page, 'paste', picture)
    await page.getByLabel('Description of picture 2').waitFor()
    await give(page, 'drop', picture)
    await page.getByLabel('Description of picture 3').waitFor()
    await page.getByRole('button', { name: 'Remove picture 2' }).click()
    await page.getByRole('button', { name: 'Post', exact: true }).click()
    const post = page.getByRole('article').filter({ hasText: words })
    await post.getByRole('button', { name: 'The shed from the south' }).click()
    const large = page.getByRole('dialog', { name: 'The shed from the south' })
    await large.getByRole('img', { name: 'The shed from the south' }).waitFor()
    await large.getByRole('button', { name: 'Next picture' }).click()
    await page.keyboard.press('Escape')
    await page.reload()
    await expect.poll(() => post.getByRole('listitem').count()).toBe(2)
    const broken = 'Array.from(document.images).filter((image) => image.complete && image.naturalWidth === 0).map(({ src }) => src)'
    expect(await page.evaluate(broken)).toEqual([])
    expect(consoleErrors).toEqual([])
  })

  journey('an inline image, a topic by name, and a link preview that can be removed', async () => {
    const site = createServer((_request, response) => {
      response
        .setHeader('content-type', 'text/html')
        .end('<title>All about beans</title><meta name="description" content="Where they climb">')
    }).listen(0, '127.0.0.1')
    onTestFinished(() => void site.close())
    await once(site, 'listening')
    const link = `http://127.0.0.1:${(site.address() as AddressInfo).port}/beans.html`
    const ada = await person('Ada Moreau')
    const { topics } = await ada.client.topics.list()
    const topic = topics.find(({ admin_only }) => admin_only === 'no')?.title ?? ''
    const { page, consoleErrors } = await visit(screen, '/', { as: ada })
    await page.getByRole('feed').waitFor()
    const picture = await page.screenshot({ clip: { x: 0, y: 0, width: 320, height: 200 } })
    const text = await write(page)
    const chooser = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: 'Insert picture' }).click()
    await (await chooser).setFiles({ name: 'bean.png', mimeType: 'image/png', buffer: picture })
    await page.getByLabel('Description').fill('A bean that climbs')
    await page.keyboard.press('Enter')
    await text.getByRole('img', { name: 'A bean that climbs' }).waitFor()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.type(`#${topic.slice(0, 4)}`)
    await page.getByRole('option', { name: topic, exact: true }).click()
    await expect.poll(() => page.getByRole('checkbox', { name: topic }).isChecked()).toBe(true)
    await page.keyboard.insertText(`see ${link}`)
    const card = page.getByRole('dialog').getByRole('link', { name: /All about beans/ })
    await card.waitFor()
    await page.getByRole('button', { name: 'Remove preview' }).click()
    await card.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Post', exact: true }).click()
    const post = page.getByRole('article').filter({ hasText: link })
    await post.getByRole('img', { name: 'A bean that climbs' }).waitFor()
    await post.getByRole('link', { name: `#${topic}` }).waitFor()
    expect(await post.getByText('All about beans').count()).toBe(0)

    await post.getByRole('button', { name: 'Post actions' }).click()
    await page.getByRole('menuitem', { name: 'Edit' }).click()
    await card.waitFor()
    await page.getByRole('button', { name: 'Save' }).click()
    await post.getByRole('link', { name: /All about beans.*Where they climb/ }).waitFor()
    await page.reload()
    await post.getByRole('link', { name: /All about beans.*Where they climb/ }).waitFor()
    expect(consoleErrors).toEqual([])
  })

  journey('a survey is created, answered, changed, and its voters listed', async () => {
    const [ada, ben] = [await person('Ada Moreau'), await person('Ben Sorrel')]
    const feast = unique('the feast')
    const [asked, reworded] = [`Which day suits you for ${feast}?`, `Which day is best for ${feast}?`]
    const { page, consoleErrors } = await visit(screen, '/', { as: ada })
    await write(page)
    await page.getByRole('button', { name: 'Add survey' }).click()
    await page.getByLabel('Question', { exact: true }).fill(asked)
    await page.getByLabel('Option 1', { exact: true }).fill('Saturday')
    await page.getByLabel('Option 2', { exact: true }).fill('Sunday')
    await page.getByRole('button', { name: 'Add option' }).click()
    await page.getByLabel('Option 3', { exact: true }).fill('Some other day')
    await page.getByRole('button', { name: 'Post', exact: true }).click()
    const survey = page.getByRole('group', { name: asked })
    await survey.waitFor()
    const edit = async () => {
      const post = page.getByRole('article').filter({ hasText: feast })
      await post.getByRole('button', { name: 'Post actions' }).click()
      await page.getByRole('menuitem', { name: 'Edit' }).click()
    }
    await edit()
    await page.getByLabel('Option 3', { exact: true }).fill('Any day')
    await page.getByRole('button', { name: 'Save' }).click()
    await survey.getByRole('radio', { name: 'Any day' }).waitFor()

    const { feeds } = await ben.client.feeds.list({ user_id: ada.id })
    await ben.client.surveys.vote({ feed_id: feeds.data[0]?.id ?? 0, option_slug: 'option-1' })
    await survey.getByRole('radio', { name: 'Sunday' }).check()
    await survey.getByText('2 people voted').waitFor()
    await survey.getByRole('radio', { name: 'Saturday' }).check()
    await survey.getByText('100%').waitFor()
    await page.reload()
    expect(await survey.getByRole('radio', { name: 'Saturday' }).isChecked()).toBe(true)

    // After the first vote only the question and the settings can be changed.
    await edit()
    expect(await page.getByLabel('Option 1', { exact: true }).isDisabled()).toBe(true)
    await page.getByLabel('Question', { exact: true }).fill(reworded)
    await page.getByLabel('Show results').selectOption('Only to me')
    await page.getByRole('button', { name: 'Save' }).click()
    const changed = page.getByRole('group', { name: reworded })
    await changed.waitFor()
    const { data: seen } = await ben.client.feeds.byId({ feed_id: feeds.data[0]?.id ?? 0 })
    expect(seen.meta['survey']).toMatchObject({ show_results: 'never', total_votes: null, voted: ['option-1'] })
    expect(seen.message).toBe(reworded)
    await changed.getByRole('button', { name: /2 votes for Saturday/ }).click()
    const voters = page.getByRole('dialog', { name: 'Saturday' })
    await voters.getByText(ben.name).waitFor()
    await voters.getByText(ada.name).waitFor()
    expect(consoleErrors).toEqual([])
  })

  journey('a post is saved as a draft, rejected for a past date, scheduled, changed and published', async () => {
    const [ada, ben] = [await person('Ada Moreau'), await person('Ben Sorrel')]
    const { page, consoleErrors } = await visit(screen, '/', { as: ada })
    await write(page)
    await page.keyboard.insertText('The harvest feast')
    await page.getByRole('button', { name: 'Save draft' }).click()
    await page.getByText('Draft saved to your account').waitFor()
    await page.getByRole('button', { name: 'Account menu' }).click()
    await page.getByRole('menuitem', { name: 'Drafts and scheduled posts' }).click()
    await page.getByText('Only you can see this draft.').waitFor()
    await page.reload()
    await page.getByRole('button', { name: 'Continue writing' }).click()
    await page.getByText('More options').click()
    await page.getByLabel('Publish at').fill(inHours(-24))
    await page.getByRole('button', { name: 'Schedule' }).click()
    await page.getByRole('alert').waitFor()
    expect(await page.getByRole('textbox', { name: 'Your post' }).textContent()).toBe('The harvest feast')
    await page.getByLabel('Publish at').fill(inHours(48))
    await page.getByRole('button', { name: 'Schedule' }).click()
    await page.getByRole('heading', { level: 1, name: 'Scheduled posts' }).waitFor()
    const post = page.getByRole('article').filter({ hasText: 'harvest feast' })
    await post.getByText(/^Scheduled for/).waitFor()
    expect((await ben.client.feeds.list({ user_id: ada.id })).feeds.data).toEqual([])

    await page.goto('/')
    await page.getByRole('feed').waitFor()
    await page.getByRole('button', { name: 'Account menu' }).click()
    await page.getByRole('menuitem', { name: 'Drafts and scheduled posts' }).click()
    await page.getByRole('heading', { name: 'No drafts' }).waitFor()
    await page.getByRole('link', { name: 'Scheduled' }).click()
    await post.getByRole('button', { name: 'Post actions' }).click()
    await page.getByRole('menuitem', { name: 'Edit' }).click()
    await page.getByLabel('Title').fill('All are welcome')
    await page.getByLabel('Publish at').fill(inHours(72))
    await page.getByRole('button', { name: 'Save' }).click()
    await post.getByRole('heading', { name: 'All are welcome' }).waitFor()
    const [planned] = (await ada.client.scheduledPosts.list()).posts
    expect(new Date(`${planned?.scheduled_at?.replace(' ', 'T')}Z`).getTime()).toBeGreaterThan(Date.now() + 71 * 3_600_000)

    await post.getByRole('button', { name: 'Publish now' }).click()
    await page.getByText('No scheduled posts').waitFor()
    expect((await ben.client.feeds.list({ user_id: ada.id })).feeds.data.map(({ title }) => title)).toEqual(['All are welcome'])
    expect(consoleErrors.filter((line) => !line.includes('400'))).toEqual([])
  })

  journey('a post is edited and deleted by its author only', async () => {
    const [ada, ben] = [await person('Ada Moreau'), await person('Ben Sorrel')]
    const { data } = await ada.client.feeds.create({ title: 'Seeds to swap', message: 'First words' })
    const { page, consoleErrors } = await visit(screen, `/feeds/${data.slug}`, { as: ada })
    await page.getByRole('button', { name: 'Post actions' }).click()
    await page.getByRole('menuitem', { name: 'Edit' }).click()
    const text = page.getByRole('textbox', { name: 'Your post' })
    await text.getByText('First words').click()
    await page.keyboard.press('End')
    await page.keyboard.insertText(', and second ones')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Changes saved').waitFor()
    await page.getByText('First words, and second ones').waitFor()
    await page.getByText('edited').waitFor()
    expect((await ben.client.feeds.bySlug({ feed_slug: data.slug })).data.message).toBe('First words, and second ones')

    const other = await visit(screen, `/feeds/${data.slug}`, { as: ben })
    await other.page.getByRole('button', { name: 'Post actions' }).click()
    await other.page.getByRole('menuitem', { name: 'Copy link' }).waitFor()
    expect(await other.page.getByRole('menuitem').allTextContents()).toEqual(['Copy link', 'Report'])

    await page.getByRole('button', { name: 'Post actions' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByRole('dialog', { name: 'Delete this post?' }).getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('feed').waitFor()
    expect(await page.getByText('Seeds to swap').count()).toBe(0)
    await page.goto(`/feeds/${data.slug}`)
    await page.getByRole('alert').getByRole('heading', { level: 1 }).waitFor()
    expect(consoleErrors.filter((line) => !line.includes('404') && !line.includes(ERRORS.feed_not_found[1]))).toEqual([])
    expect(other.consoleErrors).toEqual([])
  })

  journey('a post is not requested any more once it is being deleted', async () => {
    const [ada, ben] = [await person('Ada Moreau'), await person('Ben Sorrel')]
    const { data } = await ada.client.feeds.create({ message: 'Seeds to give away' })
    const { data: other } = await ada.client.feeds.create({ message: 'Seeds that stay' })
    const { page, consoleErrors } = await visit(screen, `/feeds/${data.slug}`, { as: ada })
    await Promise.all([page.waitForResponse(/\/stream/), page.reload()])
    await page.getByRole('button', { name: 'Post actions' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    // A reaction makes the page request the post a moment later. The comment shows that the page knows of it.
    await page.route(new RegExp(`/feeds/${data.id}$`), async (route) => {
      const known = page.waitForResponse(new RegExp(`/feeds/${data.id}/comments`))
      await ben.client.reactions.toFeed({ feed_id: data.id, type: 'love' })
      await ben.client.comments.create({ feed_id: data.id, comment: 'I take them' })
      await known
      return route.continue()
    })
    await page.getByRole('dialog', { name: 'Delete this post?' }).getByRole('button', { name: 'Delete' }).click()
    await page.getByText('Post deleted').waitFor()

    // The other post is requested as late after its reaction, so the deleted one would have been requested before.
    await show(page, `/feeds/${other.slug}`)
    await page.getByRole('article').getByText('Seeds that stay').waitFor()
    const requested = page.waitForResponse(new RegExp(`/feeds/${other.id}/by-id`))
    await ben.client.reactions.toFeed({ feed_id: other.id, type: 'love' })
    await requested
    expect(consoleErrors).toEqual([])
  })
})
