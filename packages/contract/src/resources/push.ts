import { route } from '../route.ts'
import { Datetime, dataOf, Id, Message, messageAnd, named, nullable, pathId } from '../shapes/common.ts'
import { Type } from '../typebox.ts'

/** Most devices of a member; a further one takes the place of the one that was used longest ago. */
export const PUSH_SUBSCRIPTIONS = 20

const endpoint = Type.String({ minLength: 1, maxLength: 2048, description: 'As the browser gave it' })

export const PushSubscription = named('PushSubscription', {
  id: Id,
  endpoint: Type.String({ description: 'Origin of the push service; the rest of the address is a secret' }),
  user_agent: Type.String(),
  created_at: Datetime,
  last_used_at: nullable(Datetime),
})

export const push = {
  key: route({
    method: 'GET',
    path: '/push/key',
    access: 'member',
    summary: 'The key that a browser subscribes with',
    description: 'The `applicationServerKey` of `PushManager.subscribe()`, base64url. It changes only with the server’s secret.',
    response: dataOf(Type.Object({ public_key: Type.String() })),
  }),
  list: route({
    method: 'GET',
    path: '/push/subscriptions',
    access: 'member',
    summary: 'Devices that get the caller’s push messages',
    response: dataOf(Type.Array(PushSubscription)),
  }),
  subscribe: route({
    method: 'POST',
    path: '/push/subscriptions',
    access: 'member',
    summary: 'Send push messages to this device',
    description:
      `Takes what \`PushSubscription.toJSON()\` gives. The same endpoint again replaces its keys and belongs to the caller from then on. ` +
      `Of more than ${PUSH_SUBSCRIPTIONS} devices the one that was used longest ago goes.`,
    body: Type.Object({
      endpoint,
      keys: Type.Object({ p256dh: Type.String({ maxLength: 200 }), auth: Type.String({ maxLength: 100 }) }),
      expirationTime: Type.Optional(Type.Unsafe<unknown>({ description: 'Not used' })),
    }),
    response: messageAnd(Type.Object({ id: Id, created_at: Datetime })),
    status: 201,
    errors: ['invalid_data', 'invalid_url'],
  }),
  remove: route({
    method: 'DELETE',
    path: '/push/subscriptions/{id}',
    access: 'member',
    summary: 'Send no more push messages to a device',
    params: pathId('id'),
    response: Message,
    errors: ['subscription_not_found'],
  }),
  unsubscribe: route({
    method: 'POST',
    path: '/push/unsubscribe',
    access: 'member',
    summary: 'Send no more push messages to this device',
    description: 'For a browser, which knows its endpoint and not the id. An endpoint that is not the caller’s is left alone.',
    body: Type.Object({ endpoint }),
    response: Message,
  }),
} as const
