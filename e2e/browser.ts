import { type Client, createClient } from '@lyceum/sdk'
import type { Browser, BrowserContext } from 'playwright-core'
import { afterAll, beforeAll, inject } from 'vitest'
import { type Look, launchChromium, openWindow, type Screen, type Window } from './browser-contexts.ts'
import { ADMIN, type Person, type Stage, serveCommunity } from './community.ts'

export { SCREENS, type Screen, settled, type Theme } from './browser-contexts.ts'
export { ADMIN, type Person } from './community.ts'

const fullSize = Number(process.env['LYCEUM_TEST_SOAK']) > 1
const BOTH: readonly Screen[] = ['desktop', 'phone']

/** Journeys of those who run a community: on both screens in a long run, and otherwise on the one that they mostly use. */
export const STAFF_SCREENS: readonly Screen[] = fullSize ? BOTH : ['desktop']
/** Journeys whose pages are laid out alike on both: on both in a long run, and otherwise on the one where space is short. */
export const MEMBER_SCREENS: readonly Screen[] = fullSize ? BOTH : ['phone']

let browser: Promise<Browser> | null = null

const kept = new Set<BrowserContext>()

/** Closes what a test has opened. */
export const closeWindows = async (): Promise<void> => {
  for (const context of (await browser)?.contexts() ?? []) if (!kept.has(context)) await context.close()
}

/** Leaves a window open for the tests that follow in the same file. */
export const keep = (window: Window): Window => {
  kept.add(window.context)
  return window
}

export const closeBrowser = async (): Promise<void> => {
  const open = browser
  browser = null
  await (await open)?.close()
}

/** Somebody who was made for one journey, with the API as them. */
export interface Member extends Person {
  readonly id: number
  readonly client: Client
}

let people = 0

interface Session {
  readonly cookie: string
  readonly nonce: string
}

/** By where and who. */
const sessions = new Map<string, Promise<Session>>()

/** What journeys in one community begin with. */
const journeysIn = (stage: () => Stage) => {
  const root = () => `${stage().origin}/api/v2`

  /** The API as the administrator, to arrange what a journey begins with. */
  const admin = (): Client => createClient({ baseUrl: root(), username: ADMIN.username, password: stage().appPassword })

  /** A session is one for the API and all windows of somebody: checking a password takes long, as it should. */
  const sessionOf = ({ username, password }: Person): Promise<Session> => {
    const key = `${stage().origin} ${username}`
    const known = sessions.get(key)
    if (known !== undefined) return known
    const signedIn = createClient({ baseUrl: root() }).auth.login.answer({ login: username, password })
    const session = signedIn.then(({ headers, body }) => ({ cookie: headers.getSetCookie()[0]?.split(';')[0] ?? '', nonce: body.nonce }))
    sessions.set(key, session)
    return session
  }

  /** The API as somebody who signs in as the app does. */
  const asMember = async (who: Person): Promise<Client> => {
    const { cookie, nonce } = await sessionOf(who)
    return createClient({ baseUrl: root(), headers: { cookie }, nonce: () => nonce })
  }

  /** Somebody new, who can sign in. */
  const person = async (name: string): Promise<Member> => {
    people += 1
    const username = `${name.toLowerCase().replace(/\W/g, '')}-${process.pid}-${people}`
    const password = 'Quiet-river-7431'
    const { data } = await createClient({ baseUrl: root() }).auth.register({
      username,
      email: `${username}@example.org`,
      password,
      display_name: name,
    })
    return { username, password, name, id: data.id, client: await asMember({ username, password, name }) }
  }

  /** Opens the app in a window of its own, which the end of the test closes. */
  const visit = async (screen: Screen, path: string, look: Look = {}): Promise<Window> => {
    browser ??= launchChromium()
    const cookie = look.as ? (await sessionOf(look.as)).cookie : ''
    const window = await openWindow(await browser, stage().origin, screen, { ...look, cookie })
    await window.page.goto(path)
    return window
  }
  return { admin, person, visit }
}

export const { admin, person, visit } = journeysIn(() => inject('stage'))

/** A community for one file alone, whose journeys change what holds for everybody: a copy of the one that is there for all. */
export const ownCommunity = (settings: Readonly<Record<string, string>> = {}) => {
  let served: Awaited<ReturnType<typeof serveCommunity>> | null = null
  beforeAll(async () => {
    served = await serveCommunity(inject('stage'), settings)
  })
  afterAll(() => served?.stop())
  return journeysIn(() => {
    if (!served) throw new Error('the community is not there yet')
    return served.stage
  })
}
