import { type Client, createClient } from '@lyceum/sdk'
import { afterAll, beforeAll, inject, it } from 'vitest'
import type { BrowserWindow, Look, Screen } from './browser-contexts.ts'
import { ADMIN, type Person, type Stage, serveCommunity } from './community.ts'
import { takeWindow } from './page-pool.ts'

export { SCREENS, type Screen, show, type Theme, waitUntilLoaded } from './browser-contexts.ts'
export { ADMIN, type Person } from './community.ts'
export { keepOpen } from './page-pool.ts'

/** In a long run everything is checked on both screens. */
export const fullSize = Number(process.env['LYCEUM_TEST_SOAK']) > 1
const BOTH: readonly Screen[] = ['desktop', 'phone']

/** Screens for staff journeys: both in a long run, otherwise the desktop. */
export const STAFF_SCREENS: readonly Screen[] = fullSize ? BOTH : ['desktop']
/** Screens for member journeys with the same layout on both: both in a long run, otherwise the phone. */
export const MEMBER_SCREENS: readonly Screen[] = fullSize ? BOTH : ['phone']

/** Registers every other journey on a screen, so that each runs on one screen and a file covers both; in a long run all of them. */
export const inTurn = (screen: Screen) => {
  let next: Screen = 'desktop'
  return (title: string, journey: () => Promise<void>): void => {
    if (fullSize || screen === next) it(title, journey)
    next = next === 'desktop' ? 'phone' : 'desktop'
  }
}

/** A member created for one journey, with an API client. */
export interface Member extends Person {
  readonly id: number
  readonly client: Client
}

let names = 0

/** A name that no other test and no earlier try of the same test has used; also a valid username if `name` is one. */
export const unique = (name: string): string => {
  names += 1
  return `${name}-${process.pid}-${names}`
}

interface Session {
  readonly cookie: string
  readonly nonce: string
}

/** By origin and username. */
const sessions = new Map<string, Promise<Session>>()

/** Helpers for journeys in one community. */
const journeysIn = (stage: () => Stage) => {
  const root = () => `${stage().origin}/api/v2`

  /** API client of the administrator, to set up test data. */
  const admin = (): Client => createClient({ baseUrl: root(), username: ADMIN.username, password: stage().appPassword })

  /** One session per user, shared by API and windows, because verifying a password is slow by design. */
  const sessionOf = ({ username, password }: Person): Promise<Session> => {
    const key = `${stage().origin} ${username}`
    const known = sessions.get(key)
    if (known !== undefined) return known
    const signedIn = createClient({ baseUrl: root() }).auth.login.answer({ login: username, password })
    const session = signedIn.then(({ headers, body }) => ({ cookie: headers.getSetCookie()[0]?.split(';')[0] ?? '', nonce: body.nonce }))
    sessions.set(key, session)
    return session
  }

  /** API client of a member, with a session as in the app. */
  const asMember = async (who: Person): Promise<Client> => {
    const { cookie, nonce } = await sessionOf(who)
    return createClient({ baseUrl: root(), headers: { cookie }, nonce: () => nonce })
  }

  /** Registers a new member. */
  const person = async (name: string): Promise<Member> => {
    const username = unique(name.toLowerCase().replace(/\W/g, ''))
    const password = 'Quiet-river-7431'
    const { data } = await createClient({ baseUrl: root() }).auth.register({
      username,
      email: `${username}@example.org`,
      password,
      display_name: name,
    })
    return { username, password, name, id: data.id, client: await asMember({ username, password, name }) }
  }

  /** Opens the app in its own window, for this test. */
  const visit = async (screen: Screen, path: string, look: Look = {}): Promise<BrowserWindow> => {
    const cookie = look.as ? (await sessionOf(look.as)).cookie : ''
    const window = await takeWindow({ origin: stage().origin, screen, look: { ...look, cookie } })
    await window.page.goto(path)
    return window
  }
  return { admin, person, visit }
}

export const { admin, person, visit } = journeysIn(() => inject('stage'))

/** Copies of a community have the same port, one after another, so that windows are reused with the scripts they compiled. */
let port = '0'

/** A copy of the shared community for one file whose tests change global settings. */
export const ownCommunity = (settings: Readonly<Record<string, string>> = {}) => {
  let served: Awaited<ReturnType<typeof serveCommunity>> | null = null
  beforeAll(async () => {
    const serve = (LYCEUM_PORT: string) => serveCommunity(inject('stage'), { ...settings, LYCEUM_PORT })
    // Another program may have taken the port.
    served = await serve(port).catch(() => serve('0'))
    port = new URL(served.stage.origin).port
  })
  afterAll(async () => {
    if (!served) return
    for (const key of sessions.keys()) if (key.startsWith(`${served.stage.origin} `)) sessions.delete(key)
    await served.stop()
  })
  return journeysIn(() => {
    if (!served) throw new Error('the community is not there yet')
    return served.stage
  })
}
