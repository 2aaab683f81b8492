import { route } from '../route.ts'
import { Datetime, dataOf, Id, Message, messageAnd, named, nullable, pathId } from '../shapes/common.ts'
import { Type } from '../typebox.ts'

/** Maximum number of devices of a member; another one replaces the least recently used one. */
export const PUSH_SUBSCRIPTIONS = 20

const endpoint = Type.String({ minLength: 1, maxLength: 2048, description: 'The endpoint, as provided by the browser.' })

export const PushSubscription = named('PushSubscription', {
  id: Id,
  endpoint: Type.String({ description: 'Origin of the push service; the rest of the endpoint is secret.' }),
  user_agent: Type.String(),
  created_at: Datetime,
  last_used_at: nullable(Datetime),
})

export const push = {
  key: route({
    method: 'GET',
    path: '/push/key',
    access: 'member',
    summary: 'Get the push key',
    description:
      'The `applicationServerKey` for `PushManager.subscribe()`, base64url-encoded. It changes only with the secret of the server.',
    response: dataOf(Type.Object({ public_key: Type.String() })),
  }),
  list: route({
    method: 'GET',
    path: '/push/subscriptions',
    access: 'member',
    summary: 'List push subscriptions',
    response: dataOf(Type.Array(PushSubscription)),
  }),
  subscribe: route({
    method: 'POST',
    path: '/push/subscriptions',
    access: 'member',
    summary: 'Create a push subscription',
    description: `Accepts the output of \`PushSubscription.toJSON()\`. Sending a known endpoint again replaces its keys and moves it to the caller. With more than ${PUSH_SUBSCRIPTIONS} devices, the least recently used one is removed.`,
    body: Type.Object({
      endpoint,
      keys: Type.Object({ p256dh: Type.String({ maxLength: 200 }), auth: Type.String({ maxLength: 100 }) }),
      expirationTime: Type.Optional(Type.Unsafe<unknown>({ description: 'Ignored.' })),
    }),
    response: messageAnd(Type.Object({ id: Id, created_at: Datetime })),
    status: 201,
    errors: ['invalid_data', 'invalid_url'],
  }),
  remove: route({
    method: 'DELETE',
    path: '/push/subscriptions/{id}',
    access: 'member',
    summary: 'Delete a push subscription',
    params: pathId('id'),
    response: Message,
    errors: ['subscription_not_found'],
  }),
  unsubscribe: route({
    method: 'POST',
    path: '/push/unsubscribe',
    access: 'member',
    summary: 'Unsubscribe this device from push messages',
    description: 'For browsers, which know the endpoint but not the id. An endpoint of another user is ignored.',
    body: Type.Object({ endpoint }),
    response: Message,
  }),
} as const
