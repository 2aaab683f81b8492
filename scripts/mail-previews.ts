import { mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Brand, MailContent } from '@lyceum/mail/layout'
import { digestMail, notificationMail } from '@lyceum/mail/notifications'
import { emailChangedMail, passwordChangedMail, resetPasswordMail, testMail, welcomeMail } from '@lyceum/mail/transactional-mails'
import { type BrowserContext, chromium } from 'playwright-core'

/** Renders every email to HTML files and screenshots: `node scripts/mail-previews.ts DIRECTORY`. */
const [directory] = process.argv.slice(2)
if (!directory) throw new Error('usage: node scripts/mail-previews.ts DIRECTORY')
const target = resolve(directory)
const executablePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium'

const url = 'https://garden.example'
const brand = (name: string, color: string): Brand => ({ name, color, url })
const garden = brand('Riverside Garden', '#2f7d4f')
const links = { preferences: `${url}/settings/notifications`, unsubscribe: `${url}/unsubscribe/7.mention.${'x'.repeat(43)}` }
const to = { community: garden.name, brand: garden, displayName: 'Zoë O’Neill', username: 'zoe', url }

const LONG =
  'I have tried it three years in a row, always next to the south wall, and every time the same thing happened around the end of June: ' +
  'the lower leaves turn yellow, then brown, and in the end the plant gives up. Perhaps it is the soil, perhaps the wall is simply too hot.'

const notice = { ...links, brand: garden, type: 'new_comment', kind: 'new_comment', url: `${url}/feeds/the-bed-by-the-wall` } as const

const letters: Readonly<Record<string, MailContent>> = {
  reset: resetPasswordMail({ ...to, url: `${url}/reset-password?token=${'Ab3_'.repeat(10)}xyz`, validMinutes: 60 }),
  welcome: welcomeMail(to),
  'email-changed': emailChangedMail({ ...to, newEmail: 'zoe.new@example.org' }),
  'password-changed': passwordChangedMail({ ...to, brand: brand('Lyceum', '#2563eb') }),
  test: testMail({ brand: brand('夜の読書会', '#111111'), sentAt: '2026-03-10 12:00:00' }),
  comment: notificationMail({
    ...notice,
    title: 'Ben Okafor commented on your post “The bed by the wall”',
    message: LONG,
    person: 'Ben Okafor',
  }),
  mention: notificationMail({
    ...notice,
    type: 'mention',
    kind: 'mention',
    title: 'Yuki mentioned you in a comment on “Tomatoes”',
    message: '@zoe yes!',
    person: 'Yuki',
    brand: brand('Sun & Stone', '#ffd84d'),
  }),
  reactions: notificationMail({
    ...notice,
    type: 'new_reaction',
    kind: 'new_reaction',
    title: 'Mara Lindqvist and 12 others reacted to your post “First frost warning”',
    message: 'Tonight it will freeze. Bring in what is still in pots, and cover the dahlias.',
    person: 'Mara Lindqvist',
  }),
  follower: notificationMail({
    ...notice,
    type: 'new_follower',
    kind: 'new_follower',
    title: 'Dina Novak wants to follow you',
    message: 'Dina Novak wants to follow you',
    person: 'Dina Novak',
  }),
  arabic: notificationMail({
    ...notice,
    type: 'new_reply',
    title: 'ليلى حداد replied to your comment on “متى نزرع النعناع؟”',
    message: 'أعتقد أن أفضل وقت هو بداية الربيع، عندما لا يكون هناك خطر من الصقيع، ويمكن زراعته أيضًا في أصص على الشرفة.',
    person: 'ليلى حداد',
    brand: brand('حديقة النهر', '#8b1e3f'),
  }),
  unbroken: notificationMail({
    ...notice,
    title: `Maximiliane-Friederike von Hohenlohe-Langenburg commented on your post “${'Donaudampfschifffahrt'.repeat(4)}”`,
    message: `https://example.org/${'very-long-address/'.repeat(12)}`,
    person: 'Maximiliane-Friederike von Hohenlohe-Langenburg',
    brand: brand('A community with a name that is much longer than anybody would wish for in a mail', '#c026d3'),
  }),
  digest: digestMail({
    ...links,
    brand: garden,
    frequency: 'weekly',
    displayName: 'Zoë O’Neill',
    at: new Date('2026-03-09T12:00:00Z'),
    timeZone: 'UTC',
    notices: [
      { title: 'Ben Okafor mentioned you in a comment on “Seed swap”', message: 'Ask @zoe, she has the list.', url, person: 'Ben Okafor' },
      {
        title: 'Mara Lindqvist and 4 others reacted to your post “First frost warning”',
        message: 'Tonight it will freeze. Bring in what is still in pots, and cover the dahlias.',
        url,
        person: 'Mara Lindqvist',
      },
      { title: '李雷 follows you', message: '李雷 follows you', url, person: '李雷' },
    ],
    moreNotices: 9,
    notificationsUrl: `${url}/notifications`,
    posts: [
      {
        title: 'What grew, what did not: the year in one table',
        excerpt: LONG.slice(0, 139),
        author: 'Ines Duarte',
        space: 'Vegetables',
        comments: 18,
        reactions: 42,
        url,
      },
      {
        title: '',
        excerpt: 'Who has a ladder that reaches the upper branches of the old pear?',
        author: 'Yuki Tanaka',
        space: null,
        comments: 1,
        reactions: 3,
        url,
      },
      {
        title: 'متى نزرع النعناع؟',
        excerpt: 'أعتقد أن أفضل وقت هو بداية الربيع، عندما لا يكون هناك خطر من الصقيع.',
        author: 'ليلى حداد',
        space: 'Herbs',
        comments: 0,
        reactions: 7,
        url,
      },
    ],
    spaces: [
      { title: 'Vegetables', count: 12, url },
      { title: 'Herbs and everything that smells good when one walks past it', count: 1, url },
    ],
  }),
  'digest-small': digestMail({
    ...links,
    brand: brand('Lyceum', '#2563eb'),
    frequency: 'daily',
    displayName: '',
    at: new Date('2026-03-09T12:00:00Z'),
    timeZone: 'UTC',
    notices: [],
    moreNotices: 0,
    notificationsUrl: `${url}/notifications`,
    posts: [{ title: 'Hello', excerpt: 'First post.', author: 'ines', space: 'General', comments: 0, reactions: 0, url }],
    spaces: [{ title: 'General', count: 1, url }],
  }),
}

const SIZES = [1000, 375] as const
const SCHEMES = ['light', 'dark'] as const

/** Horizontal overflow of the page in pixels. */
const photograph = async (context: BrowserContext, name: string, html: string, file: string): Promise<number> => {
  const page = await context.newPage()
  await page.setContent(html)
  await page.screenshot({ path: join(target, file), fullPage: true })
  const overflow = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')
  await page.close()
  if (Number(overflow) > 0) console.error(`${name}: ${overflow} px too wide in ${file}`)
  return Number(overflow)
}

mkdirSync(target, { recursive: true })
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
let broad = 0
for (const width of SIZES) {
  for (const colorScheme of SCHEMES) {
    const context = await browser.newContext({ viewport: { width, height: 700 }, colorScheme, javaScriptEnabled: true })
    for (const [name, { html }] of Object.entries(letters)) {
      broad += await photograph(context, name, html, `${name}-${width}-${colorScheme}.png`)
    }
    await context.close()
  }
}
await browser.close()
for (const [name, { subject, html, text }] of Object.entries(letters)) {
  writeFileSync(join(target, `${name}.html`), html)
  writeFileSync(join(target, `${name}.txt`), `Subject: ${subject}\n\n${text}`)
}
console.log(`${Object.keys(letters).length} mails in ${target}`)
process.exitCode = broad > 0 ? 1 : 0
