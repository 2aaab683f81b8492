import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createClient } from '@lyceum/sdk'
import { launchChromium, openWindow, SCREENS, type Screen, type Theme, waitUntilLoaded } from '../e2e/browser-contexts.ts'
import { ADMIN, type Person, serveCommunity } from '../e2e/community.ts'
import { PAGES, tourOf } from '../e2e/pages.ts'

const USAGE = `npm run screenshots -- [options]
  --to DIR        where the pictures are written, default: screenshots
  --only NAMES    pages with commas between: home,feed
  --locale CODE   the language of the browser, default: en-GB
  --rtl           as if it were read from right to left
`
const LOOKS: readonly (readonly [Screen, Theme])[] = [
  ['desktop', 'light'],
  ['desktop', 'dark'],
  ['phone', 'light'],
  ['phone', 'dark'],
]
const COMMUNITY = { members: 150, spaces: 12, posts: 300, comments: 1000, reactions: 2500, courses: 6 }

const { values } = parseArgs({
  options: {
    to: { type: 'string', default: 'screenshots' },
    only: { type: 'string' },
    locale: { type: 'string', default: 'en-GB' },
    rtl: { type: 'boolean' },
    help: { type: 'boolean' },
  },
})
if (values.help) {
  process.stdout.write(USAGE)
  process.exit()
}
const wanted = values.only?.split(',')
const { stage, stop } = await serveCommunity(COMMUNITY)
const browser = await launchChromium()
const whoever: Readonly<Record<string, Person | null>> = { nobody: null, member: ADMIN, admin: ADMIN }
try {
  const baseUrl = `${stage.origin}/api/v2`
  const tour = await tourOf(createClient({ baseUrl, username: ADMIN.username, password: stage.appPassword }))
  for (const [screen, theme] of LOOKS) {
    const folder = join(values.to, `${screen}-${theme}`)
    mkdirSync(folder, { recursive: true })
    for (const as of ['nobody', 'member', 'admin']) {
      const { page, context, consoleErrors } = await openWindow(browser, stage.origin, screen, {
        theme,
        as: whoever[as] ?? null,
        locale: values.locale,
      })
      for (const { name, path } of PAGES.filter((one) => one.as === as && (wanted?.includes(one.name) ?? true))) {
        await page.goto(path(tour))
        await waitUntilLoaded(page)
        if (values.rtl) await page.evaluate("document.documentElement.dir = 'rtl'")
        await page.screenshot({
          path: join(folder, `${name}.png`),
          fullPage: true,
          clip: { x: 0, y: 0, ...SCREENS[screen], height: 2 * SCREENS[screen].height },
        })
      }
      for (const complaint of consoleErrors) process.stderr.write(`${screen}, ${theme}: ${complaint}\n`)
      await context.close()
    }
  }
  process.stdout.write(`The pictures lie in ${values.to}.\n`)
} finally {
  await browser.close()
  await stop()
}
