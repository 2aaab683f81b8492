import { afterAll, beforeAll, expect, test } from 'vitest'
import { linkTokenTo } from '#test/outbox.ts'
import { PASSWORD } from '#test/session.ts'
import { createWorld, type Member, type World } from '#test/world.ts'
import { saveSettings } from '../../server/src/modules/settings/index.ts'

const NEXT = 'Other-river-9152'

let world: World
let admin: Member
beforeAll(async () => {
  world = await createWorld()
  admin = await world.member({ role: 'admin' })
  await world.app.write(null, (ctx) => saveSettings(ctx, { require_email_verification: true }))
})
afterAll(() => world.close())

interface Waiting {
  readonly id: number
  readonly username: string
  readonly email: string
  readonly cookie: string
  readonly rival: string
  readonly verify: string
  readonly reset: string
}

let made = 0

/** A pending registration with its links, beside one of a rival with the same address. */
const register = async (): Promise<Waiting> => {
  made += 1
  const [username, email] = [`waiting${made}`, `waiting${made}@example.org`]
  const join = async (name: string, password: string) => {
    const answer = await world.request('POST', '/auth/register', { username: name, email, password })
    return { id: answer.body.data.id as number, cookie: answer.headers.getSetCookie()[0]?.split(';', 1)[0] ?? '' }
  }
  const rival = await join(`rival${made}`, NEXT)
  // Both links go to the same address; the last one must belong to the second registration.
  await world.runPendingJobs()
  const own = await join(username, PASSWORD)
  await world.request('POST', '/auth/forgot-password', { login: username }, { cookie: own.cookie })
  await world.runPendingJobs()
  const links = { verify: linkTokenTo(world, email, 'verify-email'), reset: linkTokenTo(world, email, 'reset-password') }
  return { ...own, ...links, username, email, rival: rival.cookie }
}

const post = (path: string, body: object, cookie = '') => world.request('POST', path, body, cookie ? { cookie } : {})

/** Ways to access a registration's account; the last ones consume links. */
const PROBES: Readonly<Record<string, (one: Waiting) => Promise<boolean>>> = {
  password: async ({ username, email }) => {
    const tries = [
      await post('/auth/login', { login: username, password: PASSWORD }),
      await post('/auth/login', { login: email, password: PASSWORD }),
    ]
    return tries.some(({ status, body }) => status === 200 || body.code === 'email_not_verified')
  },
  'reset link': async ({ reset }) => (await post('/auth/reset-password', { token: reset, password: 'x' })).body.code === 'weak_password',
  'confirmation link': async ({ verify }) =>
    (await post('/auth/verify-email', { token: verify, password: 'x' })).body.code === 'weak_password',
  'confirmation link in the browser that registered': async ({ verify, cookie }) =>
    (await post('/auth/verify-email', { token: verify }, cookie)).status === 200,
}
type Kind = keyof typeof PROBES
const KINDS = Object.keys(PROBES)
const LINKS = ['reset link', 'confirmation link', 'confirmation link in the browser that registered']

const EVENTS: Readonly<Record<string, { readonly happens: (one: Waiting) => Promise<unknown>; readonly ended: readonly Kind[] }>> = {
  nothing: { happens: async () => {}, ended: [] },
  'another registration with the address': {
    happens: ({ email }) => post('/auth/register', { username: `third${made}`, email, password: NEXT }),
    ended: [],
  },
  'its confirmation': { happens: ({ verify, cookie }) => post('/auth/verify-email', { token: verify }, cookie), ended: LINKS },
  'its confirmation elsewhere': {
    happens: ({ verify }) => post('/auth/verify-email', { token: verify, password: NEXT }),
    ended: KINDS,
  },
  'the confirmation of a rival': {
    happens: ({ verify, rival }) => post('/auth/verify-email', { token: verify }, rival),
    ended: KINDS,
  },
  'a password reset': { happens: ({ reset }) => post('/auth/reset-password', { token: reset, password: NEXT }), ended: KINDS },
  'admission by an administrator': { happens: ({ id }) => admin.raw('POST', `/admin/registrations/${id}/approve`), ended: LINKS.slice(1) },
  rejection: { happens: ({ id }) => admin.raw('POST', `/admin/registrations/${id}/reject`), ended: KINDS },
  'a week': {
    happens: async () => {
      world.clock.advance(7 * 24 * 3600 + 1)
      await world.app.maintenance.run()
    },
    ended: KINDS,
  },
}

test.each(Object.keys(EVENTS).map((event) => [event]))('after %s', async (event) => {
  const { happens, ended } = EVENTS[event] as (typeof EVENTS)[string]
  const one = await register()
  const answer = (await happens(one)) as { status?: number; text?: string } | undefined
  expect(answer?.status ?? 200, answer?.text).toBeLessThan(300)
  const alive: string[] = []
  for (const kind of KINDS) if (await PROBES[kind]?.(one)) alive.push(kind)
  expect(alive).toEqual(KINDS.filter((kind) => !ended.includes(kind)))
})
