import { randomBytes, randomUUID } from 'node:crypto'
import type { ManagerRole } from '@lyceum/contract'
import { cookieName, startSession } from '../../server/src/auth/session.ts'
import { createAccount, createApplicationPassword, setRole } from '../../server/src/modules/accounts/index.ts'
import { type Caller, callerOf, type Headers, type Reply, succeeded } from './caller.ts'
import type { Stage } from './stage.ts'

const PASSWORD = 'Quiet-river-7431'

/** The spaces in which rights are tested: one private and one secret, each with a feed. */
export interface Places {
  readonly space: { readonly slug: string; readonly feed: number }
  readonly secret: { readonly slug: string; readonly feed: number }
}

/** The created object from a response. @throws when the response is not a success */
export const made = (reply: Reply): { readonly id: number; readonly slug: string } => {
  if (!succeeded(reply)) throw new Error(`not made: ${reply.status} ${JSON.stringify(reply.body)}`)
  return reply.body.data
}

/** Sends a request that must succeed through the first instance as the administrator. */
export const manage = async ({ here }: Pick<Stage, 'here'>, method: string, path: string, body?: object) =>
  made(await here.admin.call(method, path, body))

export const makePlaces = async (stage: Stage): Promise<Places> => {
  const place = async (privacy: 'private' | 'secret') => {
    const { slug, id } = await manage(stage, 'POST', '/spaces', { title: `A ${privacy} one`, privacy })
    return { slug, feed: (await manage(stage, 'POST', '/feeds', { message: 'Read me', space_id: id })).id }
  }
  return { space: await place('private'), secret: await place('secret') }
}

interface Guest {
  readonly id: number
  readonly username: string
  readonly basic: Headers
  readonly cookie: Headers
  /** A second application password. */
  readonly phone: Headers
  readonly phoneId: number
}

const basicOf = (username: string, password: string): Headers => ({
  authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`,
})

/** Failed authentication counts against the address's limit, so each guest gets its own address. */
const addressOf = (id: number): Headers => ({ 'x-forwarded-for': `10.${(id >> 16) & 255}.${(id >> 8) & 255}.${id & 255}` })

/** A new member with a password, two application passwords and a session. */
export const makeGuest = async ({ core, here }: Stage, role?: ManagerRole): Promise<Guest> => {
  const username = `guest-${randomUUID().slice(0, 12)}`
  const token = randomBytes(32).toString('base64url')
  const passwordHash = await core.services.passwords.hashPassword(PASSWORD)
  const made = await core.write(null, async (ctx) => {
    const id = await createAccount(ctx, { username, email: `${username}@example.org`, passwordHash, displayName: 'A guest' })
    if (role) await setRole(ctx, id, role, null)
    await startSession(ctx, id, token, { id: '', url: '', startedAt: 0, ip: '127.0.0.1', userAgent: 'tests' })
    const [own, phone] = [await createApplicationPassword(ctx, id, 'own'), await createApplicationPassword(ctx, id, 'phone')]
    return { id, own: own.password, phone: phone.password, phoneId: phone.id }
  })
  const address = addressOf(made.id)
  return {
    id: made.id,
    username,
    basic: { ...basicOf(username, made.own), ...address },
    cookie: { cookie: `${cookieName(here.base, 'session')}=${token}`, ...address },
    phone: { ...basicOf(username, made.phone), ...address },
    phoneId: made.phoneId,
  }
}

/** A right, how it is revoked through one instance, and the response expected afterwards. */
interface Act {
  readonly name: string
  readonly path: string
  readonly who: Headers
  readonly refused: number
  take(admin: Caller): Promise<Reply>
}

const prepareActs = async (stage: Stage, { space, secret }: Places): Promise<Act[]> => {
  const [member, owner, phone, suspended] = await Promise.all([1, 2, 3, 4].map(() => makeGuest(stage)))
  const manager = await makeGuest(stage, 'manager')
  if (!member || !owner || !phone || !suspended) throw new Error('nobody came')
  await manage(stage, 'POST', `/spaces/${space.slug}/members`, { user_id: member.id, role: 'member' })
  const held = (await manage(stage, 'POST', '/feeds', { message: 'Soon held' })).id
  const asSelf = async (who: Headers, method: string, path: string, body?: object) => {
    const caller = callerOf(stage.here.base, who)
    const reply = await caller.call(method, path, body)
    caller.close()
    return reply
  }
  return [
    {
      name: 'sent out of a private space',
      path: `/feeds/${space.feed}/by-id`,
      who: member.basic,
      refused: 404,
      take: (admin) => admin.call('DELETE', `/spaces/${space.slug}/members/${member.id}`),
    },
    {
      name: 'permission withdrawn',
      path: `/feeds/${secret.feed}/by-id`,
      who: manager.basic,
      refused: 404,
      take: (admin) => admin.call('PUT', `/admin/managers/${manager.id}`, { permissions: ['view_reports'] }),
    },
    {
      name: 'feed held',
      path: `/feeds/${held}/by-id`,
      who: member.basic,
      refused: 404,
      take: (admin) => admin.call('POST', `/feeds/${held}`, { status: 'pending' }),
    },
    {
      name: 'application password revoked',
      path: '/feeds',
      who: phone.phone,
      refused: 401,
      take: () => asSelf(phone.basic, 'DELETE', `/account/application-passwords/${phone.phoneId}`),
    },
    {
      name: 'account suspended',
      path: '/feeds',
      who: suspended.basic,
      refused: 403,
      take: (admin) => admin.call('PATCH', `/members/${suspended.id}`, { status: 'suspended' }),
    },
    {
      name: 'password changed',
      path: '/feeds',
      who: owner.cookie,
      refused: 401,
      take: () =>
        asSelf(owner.basic, 'POST', '/account/password', { current_password: PASSWORD, new_password: `${PASSWORD}-${randomUUID()}` }),
    },
  ]
}

export interface Trial {
  /** Rights still granted after they were revoked. */
  readonly stale: readonly string[]
  /** Invalid trials: the right was missing before, or could not be revoked. */
  readonly failed: readonly string[]
  readonly acts: number
}

/** Created before the Redis fault and tested during it. */
export interface Prepared {
  /** Revokes each right through one instance and immediately uses it on the other. `leave`: revokes nothing (control). */
  try(leave?: boolean): Promise<Trial>
}

/** Each right is first used this often on the other instance to fill its caches. */
const USES = 3

export const prepareRights = async (stage: Stage, places: Places): Promise<Prepared> => {
  const acts = await prepareActs(stage, places)
  const use = async ({ who, path }: Act): Promise<Reply> => {
    const caller = callerOf(stage.there.base, who)
    const reply = await caller.call('GET', path)
    caller.close()
    return reply
  }
  for (const act of acts) for (let i = 0; i < USES; i++) await use(act)
  return {
    try: async (leave = false) => {
      const stale: string[] = []
      const failed: string[] = []
      for (const act of acts) {
        const before = await use(act)
        if (before.status !== 200) failed.push(`${act.name}: ${before.status} ${before.code} before`)
        const taken = leave ? { status: 200, code: '' } : await act.take(stage.here.admin)
        if (!succeeded(taken)) failed.push(`${act.name}: ${taken.status} ${taken.code} when it was taken`)
        const after = await use(act)
        if (succeeded(after)) stale.push(act.name)
        else if (after.status !== act.refused) failed.push(`${act.name}: ${after.status} ${after.code} afterwards`)
      }
      return { stale, failed, acts: acts.length }
    },
  }
}
