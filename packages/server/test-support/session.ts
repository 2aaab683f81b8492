import { expect } from 'vitest'
import type { RawAnswer, World } from './world.ts'

/** A signed-in browser: its requests carry the cookie and the nonce. */
export interface Browser {
  readonly cookie: string
  readonly nonce: string
  readonly setCookie: string
  raw(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<RawAnswer>
  /** The same without the nonce. */
  bare(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<RawAnswer>
}

export const PASSWORD = 'Quiet-river-7431'

let made = 0

/** Registers a new account with PASSWORD or another password and returns its names. */
export const register = async (
  world: World,
  fields: { username?: string; email?: string; password?: string; display_name?: string } = {},
) => {
  made += 1
  const username = fields.username ?? `person${made}`
  const email = fields.email ?? `${username}@example.org`
  const password = fields.password ?? PASSWORD
  const { data } = await world.anonymous.auth.register({ ...fields, username, email, password })
  return { id: data.id, username, email, password }
}

export const signIn = async (world: World, login: string, password = PASSWORD): Promise<Browser> => {
  const answer = await world.request('POST', '/auth/login', { login, password })
  expect(answer.status, answer.text).toBe(200)
  const [setCookie = ''] = answer.headers.getSetCookie()
  const cookie = setCookie.split(';', 1)[0] as string
  const { nonce } = answer.body as { nonce: string }
  return {
    cookie,
    nonce,
    setCookie,
    raw: (method, path, body, headers = {}) => world.request(method, path, body, { cookie, 'x-lyceum-nonce': nonce, ...headers }),
    bare: (method, path, body, headers = {}) => world.request(method, path, body, { cookie, ...headers }),
  }
}
