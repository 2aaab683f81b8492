import { isHttpUrl } from '@lyceum/content'
import type { api } from '@lyceum/contract'
import type { Services } from '../../../core/context.ts'
import { ApiError, invalidField } from '../../../core/errors.ts'
import { lockRow } from '../../../db/index.ts'
import type { Handlers } from '../../../http/pipeline/route-handlers.ts'
import { couldBeReached } from '../../../outbound/index.ts'
import { pick } from '../../../util/pick.ts'
import { pushKeysOf, readAuthSecret, readPublicKey } from './push-keys.ts'
import { removeEndpoint, removeSubscription, saveSubscription, subscriptionsOf } from './push-queries.ts'

/** Rejects endpoints that can never be reached. What a hostname resolves to is checked whenever a message is sent. */
const readEndpoint = async ({ config }: Services, text: string): Promise<string> => {
  if (!isHttpUrl(text)) throw new ApiError('invalid_url', { data: { field: 'endpoint' } })
  const url = new URL(text)
  // No DNS look-up yet.
  const may = await couldBeReached(text, config.outboundAllow, async () => [])
  if (!may) throw new ApiError('invalid_url', { message: 'The endpoint must be a public https URL.', data: { field: 'endpoint' } })
  url.hash = ''
  return url.href
}

export const pushHandlers: Handlers<typeof api.push> = {
  key: async ({ services }) => ({ data: { public_key: pushKeysOf(services.keys.push).publicKey } }),

  list: async ({ db, actor }) => ({
    data: (await subscriptionsOf(db, [actor.id])).map((row) => ({
      ...pick(row, 'id', 'user_agent', 'created_at', 'last_used_at'),
      endpoint: new URL(row.endpoint).origin,
    })),
  }),

  subscribe: async ({ db, actor, now, services, request }, { body }) => {
    const endpoint = await readEndpoint(services, body.endpoint)
    const p256dh = readPublicKey(body.keys.p256dh)
    if (!p256dh) throw invalidField('keys.p256dh', 'must be a P-256 public key of 65 bytes, base64url-encoded')
    const auth = readAuthSecret(body.keys.auth)
    if (!auth) throw invalidField('keys.auth', 'must be 16 bytes, base64url-encoded')
    await lockRow(db, 'users', actor.id)
    const keys = { p256dh, auth, user_agent: request.userAgent, created_at: now, session_id: actor.sessionId }
    const saved = await saveSubscription(db, { user_id: actor.id, endpoint, ...keys })
    return { message: 'Push messages are on for this device.', data: saved }
  },

  remove: async ({ db, actor }, { params }) => {
    if (!(await removeSubscription(db, [params.id, actor.id]))) throw new ApiError('subscription_not_found')
    return { message: 'Push messages are off for this device.' }
  },

  unsubscribe: async ({ db, actor }, { body }) => {
    if (isHttpUrl(body.endpoint)) await removeEndpoint(db, [new URL(body.endpoint).href, actor.id])
    return { message: 'Push messages are off for this device.' }
  },
}
