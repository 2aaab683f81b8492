import { createHmac, randomBytes } from 'node:crypto'
import type { Services } from '../core/context.ts'
import { equalInConstantTime } from '../secrets/timing-safe-equal.ts'
import { type CookieContext, readOwnCookie, setCookie } from './session.ts'

/** Long enough for a browser that is used only now and then. */
const LASTS_S = 180 * 24 * 3600
/** Maximum number of accounts in the cookie of one browser. */
const MOST = 4
const MARK = /^\d{1,15}~[A-Za-z0-9_-]{22}~[A-Za-z0-9_-]{43}$/

interface Owner {
  readonly id: number
  readonly password_hash: string
}

type Context = CookieContext & { readonly services: Pick<Services, 'keys'> }

// The MAC covers the password hash: after a password change, browsers that signed in with the old password are unknown again.
const macOf = (key: Buffer, { id, password_hash }: Owner, device: string) =>
  createHmac('sha256', key).update(`${id}\n${device}\n${password_hash}`).digest('base64url')

const marksIn = (ctx: Context): string[] =>
  (readOwnCookie(ctx, 'device') ?? '')
    .split('.')
    .filter((mark) => MARK.test(mark))
    .slice(0, MOST)

/** The id of this browser if it has signed in to the account with its current password. */
export const knownDevice = (ctx: Context, owner: Owner): string | null => {
  for (const mark of marksIn(ctx)) {
    const [id, device = '', mac = ''] = mark.split('~')
    if (id === String(owner.id) && equalInConstantTime(macOf(ctx.services.keys.devices, owner, device), mac)) return device
  }
  return null
}

/**
 * The Set-Cookie header that marks this browser as known to the account, so that its sign-in attempts are counted separately from those of
 * unknown browsers. The cookie grants nothing else and survives sign-out.
 */
export const deviceCookie = (ctx: Context, owner: Owner): string => {
  const device = knownDevice(ctx, owner) ?? randomBytes(16).toString('base64url')
  const others = marksIn(ctx).filter((mark) => !mark.startsWith(`${owner.id}~`))
  const own = `${owner.id}~${device}~${macOf(ctx.services.keys.devices, owner, device)}`
  return setCookie(ctx, 'device', [own, ...others].slice(0, MOST).join('.'), LASTS_S)
}
