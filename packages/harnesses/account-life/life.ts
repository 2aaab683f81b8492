import { createClient } from '@lyceum/sdk'
import { linkTokenTo } from '#test/outbox.ts'
import type { PushService } from '#test/push-service.ts'
import { PASSWORD } from '#test/session.ts'
import { type Listener, listen } from '#test/sse-client.ts'
import type { RawAnswer, World } from '#test/world.ts'
import { createAccount } from '../../server/src/modules/accounts/index.ts'
import { unsubscribeToken } from '../../server/src/modules/notifications/delivery/unsubscribe-token.ts'
import { saveSettings } from '../../server/src/modules/settings/index.ts'

let addresses = 0
/** A random IP address, for strangers and for the owner. */
export const randomAddress = (): Record<string, string> => {
  addresses += 1
  return { 'x-forwarded-for': `203.0.${(addresses >> 8) & 255}.${addresses & 255}` }
}

/** Sends requests with one credential. */
export type SendRequest = (method: string, path: string, body?: unknown) => Promise<RawAnswer>

export interface Session {
  readonly send: SendRequest
  readonly cookie: string
  /** The cookie of a known browser. */
  readonly device: string
}

/** An account with one credential of each kind. */
export interface Life {
  readonly world: World
  readonly id: number
  readonly own: Session
  readonly other: Session
  readonly applicationPassword: { readonly id: number; readonly say: SendRequest }
  readonly child: SendRequest
  readonly streams: { readonly session: Listener; readonly applicationPassword: Listener }
  readonly links: { readonly reset: string; readonly email: string; readonly undo: string }
  readonly exports: { readonly ready: string; readonly pending: number }
  readonly unsubscribe: string
  /** Current values; events change them. */
  readonly present: { username: string; password: string; email: string }
  readonly former: { readonly password: string }
}

export const signInTo = async (world: World, login: string, password: string): Promise<Session | null> => {
  const answer = await world.request('POST', '/auth/login', { login, password }, randomAddress())
  if (answer.status !== 200) return null
  const [cookie = '', device = ''] = answer.headers.getSetCookie().map((line) => line.split(';', 1)[0] ?? '')
  const headers = { cookie, 'x-lyceum-nonce': answer.body.nonce as string }
  return { cookie, device, send: (method, path, body) => world.request(method, path, body, { ...headers, ...randomAddress() }) }
}

const must = <T>(value: T | null | undefined, what: string): T => {
  if (value === null || value === undefined || value === '') throw new Error(`${what} could not be arranged`)
  return value
}

const done = (answer: RawAnswer, what: string): RawAnswer => {
  if (answer.status >= 300) throw new Error(`${what} could not be arranged: ${answer.status} ${answer.text}`)
  return answer
}

let made = 0

/** Creates an account with one credential of each kind. */
export const beginLife = async (world: World, push: PushService): Promise<Life> => {
  made += 1
  const username = `life${made}`
  const [first, email, next] = ['first', 'present', 'next'].map((name) => `${name}-${username}@example.org`) as [string, string, string]
  const passwordHash = await world.app.services.passwords.hashPassword(PASSWORD)
  const id = await world.app.write(null, (ctx) => createAccount(ctx, { username, email: first, passwordHash, displayName: username }))
  const confirming = (on: boolean) => world.app.write(null, (ctx) => saveSettings(ctx, { require_email_verification: on }))
  const own = must(await signInTo(world, username, PASSWORD), 'a session')
  const other = must(await signInTo(world, username, PASSWORD), 'a session')

  // Basic credentials contain the username, which a rename changes.
  const present = { username, password: PASSWORD, email }
  const basic = (password: string) => `Basic ${Buffer.from(`${present.username}:${password}`).toString('base64')}`
  const speaker =
    (password: string): SendRequest =>
    (method, path, body) =>
      world.request(method, path, body, { authorization: basic(password), ...randomAddress() })
  const parent = done(await own.send('POST', '/account/application-passwords', { name: 'app' }), 'an application password').body.data
  const child = done(await speaker(parent.password)('POST', '/account/application-passwords', { name: 'child' }), 'a child').body.data

  await confirming(false)
  done(await own.send('POST', '/account/email', { current_password: PASSWORD, email }), 'a change of the address')
  await confirming(true)
  done(await own.send('POST', '/account/email', { current_password: PASSWORD, email: next }), 'a change that waits')
  done(await world.request('POST', '/auth/forgot-password', { login: username }, randomAddress()), 'a reset link')
  const device = push.device()
  done(await own.send('POST', '/push/subscriptions', { endpoint: device.endpoint, keys: device.keys }), 'a subscription')
  const asked = done(await own.send('POST', '/account/export'), 'an export').body.data
  await world.runPendingJobs()
  const ready = done(await own.send('GET', `/account/exports/${asked.id}`), 'an export').body.data.download_url as string
  const pending = done(await own.send('POST', '/account/export'), 'a second export').body.data.id as number

  const client = (headers: Record<string, string>) => createClient({ baseUrl: world.base, headers: { ...headers, ...randomAddress() } })
  const [session, applicationPassword] = [
    await listen(world, { id, api: client({ cookie: other.cookie }) }),
    await listen(world, { id, api: client({ authorization: basic(parent.password) }) }),
  ]
  return {
    world,
    id,
    own,
    other,
    applicationPassword: { id: parent.id, say: speaker(parent.password) },
    child: speaker(child.password),
    streams: { session, applicationPassword },
    links: {
      reset: must(linkTokenTo(world, email, 'reset-password'), 'a reset link'),
      email: must(linkTokenTo(world, next, 'confirm-email'), 'a link for the new address'),
      undo: must(linkTokenTo(world, first, 'undo-email-change'), 'a link that undoes'),
    },
    exports: { ready: new URL(must(ready, 'an export')).pathname, pending },
    unsubscribe: unsubscribeToken(world.app.services.keys.unsubscribing, { userId: id, kind: 'all' }),
    present,
    former: { password: PASSWORD },
  }
}

export const endLife = async ({ streams }: Life): Promise<void> => {
  await Promise.all([streams.session.stop(), streams.applicationPassword.stop()])
}
