import { WEBHOOK_EVENTS } from '../constants.ts'
import { type Route, route } from '../route.ts'
import {
  Count,
  Datetime,
  FlagInput,
  Id,
  Message,
  messageAnd,
  named,
  nullable,
  oneOf,
  Pagination,
  paging,
  pathId,
} from '../shapes/common.ts'
import { Type } from '../typebox.ts'

export const WEBHOOK_STATUSES = ['active', 'inactive'] as const
export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed', 'skipped'] as const
export const MAX_WEBHOOKS = 200
export const MAX_RETRIES = 10
export const WEBHOOK_HEADERS = 20
/** Time for which deliveries are also signed with the previous secret after a rotation, in seconds. */
export const PREVIOUS_SECRET_VALID_S = 24 * 3600

const Events = Type.Array(oneOf(WEBHOOK_EVENTS))
const Headers = Type.Unsafe<Record<string, string>>({ type: 'object', additionalProperties: { type: 'string' } })

const record = {
  id: Id,
  name: Type.String(),
  url: Type.String(),
  events: Events,
  status: oneOf(WEBHOOK_STATUSES),
  secret: Type.String({
    description: 'The signing secret; complete only in the response that creates it, later only its last characters.',
    examples: ['whsec_…Qk9a'],
  }),
  previous_secret_until: nullable(Datetime),
  headers: Type.Unsafe<Record<string, string>>({
    ...Headers,
    description:
      'Headers to send with every delivery. Values that look like credentials are masked; sending a masked value back leaves it unchanged. The headers are removed when `url` changes to another host.',
  }),
  retry_count: Count,
  all_content: Type.Boolean({
    description:
      'Whether the webhook receives all content, as an administrator would see it; otherwise only content that its creator can see.',
  }),
  created_by: nullable(Type.Unsafe<number>({ ...Id, description: 'Id of the account whose rights the webhook has.' })),
  last_triggered_at: nullable(Datetime),
  last_error: nullable(Type.String()),
  paused_until: nullable(Datetime),
  created_at: Datetime,
  updated_at: Datetime,
}

/** A webhook: a URL that receives events. */
export const Webhook = named('Webhook', record)

export const WebhookDelivery = named('WebhookDelivery', {
  id: Id,
  webhook_id: Id,
  event: oneOf(WEBHOOK_EVENTS),
  message_id: Type.String({ description: 'The `webhook-id` of the delivery, which is the same for all attempts.', examples: ['evt_42'] }),
  status: oneOf(DELIVERY_STATUSES, {
    description:
      'Status of the delivery. `failed`: there are no further automatic attempts. `skipped`: the creator of the webhook cannot see the content.',
  }),
  attempts: Count,
  response_code: nullable(Type.Integer()),
  response_time: nullable(Type.Integer({ description: 'Duration of the last attempt in milliseconds.' })),
  error: nullable(Type.String({ description: 'Why the last attempt failed.' })),
  attempted_at: nullable(Datetime),
  next_try_at: nullable(Datetime),
  occurred_at: Datetime,
  created_at: Datetime,
})

const fields = {
  name: Type.String({ minLength: 1, maxLength: 100, pattern: '\\S' }),
  url: Type.String({ description: 'A public https URL; the server configuration can allow http.' }),
  events: Type.Array(oneOf(WEBHOOK_EVENTS), { minItems: 1, maxItems: 100 }),
}
const settings = {
  status: Type.Optional(oneOf(WEBHOOK_STATUSES, { default: 'active' })),
  headers: Type.Optional(
    nullable(
      Type.Unsafe<Record<string, string>>({
        type: 'object',
        maxProperties: WEBHOOK_HEADERS,
        additionalProperties: { type: 'string', maxLength: 2000 },
      }),
    ),
  ),
  all_content: Type.Optional({
    ...FlagInput,
    description: 'Whether to send all content, even if the creator cannot see it; administrators only.',
  } as typeof FlagInput),
  retry_count: Type.Optional(
    Type.Integer({ minimum: 0, maximum: MAX_RETRIES, default: 3, description: 'Number of retries after the first attempt.' }),
  ),
}

const managed = { access: 'manage_webhooks', feature: 'webhooks' } as const satisfies Partial<Route>
const webhookId = pathId('webhook_id')

export const webhooks = {
  list: route({
    method: 'GET',
    path: '/admin/webhooks',
    ...managed,
    summary: 'List webhooks',
    response: Type.Object({ webhooks: Type.Array(Webhook) }),
  }),
  create: route({
    method: 'POST',
    path: '/admin/webhooks',
    ...managed,
    secret: true,
    summary: 'Create a webhook',
    description:
      'Each event is sent as `{event, timestamp, data, xprofile}` with `X-Lyceum-Signature: sha256=` and the hexadecimal HMAC-SHA-256 of the body, and with the headers of Standard Webhooks (`webhook-id`, `webhook-timestamp`, `webhook-signature`). A secret that begins with `whsec_` is base64 for Standard Webhooks; for `X-Lyceum-Signature` the key is the literal secret. Respond with 2xx within 10 seconds. The webhook has the rights of its creator: content that they cannot see when the event is sent is skipped, and the webhook is disabled when they can no longer manage webhooks.',
    body: Type.Object({
      ...fields,
      ...settings,
      secret: Type.Optional(
        nullable(
          Type.String({ minLength: 6, maxLength: 255, pattern: '^[!-~]+$', description: 'The signing secret; default: generated.' }),
        ),
      ),
    }),
    response: Type.Object({ ...record, message: Type.String() }),
    status: 201,
    errors: ['invalid_url', 'conflict'],
  }),
  one: route({
    method: 'GET',
    path: '/admin/webhooks/{webhook_id}',
    ...managed,
    summary: 'Get a webhook',
    params: webhookId,
    response: Type.Object({ data: Webhook }),
    errors: ['not_found'],
  }),
  update: route({
    method: 'PUT',
    path: '/admin/webhooks/{webhook_id}',
    ...managed,
    summary: 'Update a webhook',
    params: webhookId,
    body: Type.Object({ ...Type.Partial(Type.Object(fields)).properties, ...settings }),
    response: Type.Object({ ...record, message: Type.String() }),
    errors: ['not_found', 'invalid_url'],
  }),
  remove: route({
    method: 'DELETE',
    path: '/admin/webhooks/{webhook_id}',
    ...managed,
    summary: 'Delete a webhook',
    params: webhookId,
    response: Message,
    errors: ['not_found'],
  }),
  test: route({
    method: 'POST',
    path: '/admin/webhooks/{webhook_id}/test',
    ...managed,
    summary: 'Test a webhook',
    description: 'Sends the event `webhook.test` once, regardless of the status of the webhook, and returns the response.',
    params: webhookId,
    response: Type.Object({
      success: Type.Boolean(),
      status_code: nullable(Type.Integer({ description: 'HTTP status of the response; null if there was none.' })),
      response_time: Type.Integer({ minimum: 0, description: 'Duration in milliseconds.' }),
      message: Type.String(),
    }),
    write: false,
    errors: ['not_found'],
  }),
  rotateSecret: route({
    method: 'POST',
    path: '/admin/webhooks/{webhook_id}/rotate-secret',
    ...managed,
    secret: true,
    summary: 'Rotate the secret of a webhook',
    description: 'For 24 hours, deliveries are signed with the previous secret too: `webhook-signature` then contains both signatures.',
    params: webhookId,
    response: Type.Object({ ...record, message: Type.String() }),
    errors: ['not_found'],
  }),
  deliveries: route({
    method: 'GET',
    path: '/admin/webhooks/{webhook_id}/deliveries',
    ...managed,
    summary: 'List deliveries of a webhook',
    description: 'Newest first. Deliveries are kept for 30 days.',
    params: webhookId,
    query: Type.Object({
      ...paging(20),
      status: Type.Optional(oneOf(DELIVERY_STATUSES)),
      event: Type.Optional(oneOf(WEBHOOK_EVENTS)),
    }),
    response: Type.Object({ deliveries: Type.Array(WebhookDelivery), pagination: Pagination }),
    errors: ['not_found'],
  }),
  redeliver: route({
    method: 'POST',
    path: '/admin/webhooks/{webhook_id}/deliveries/{delivery_id}/redeliver',
    ...managed,
    summary: 'Redeliver a webhook delivery',
    params: Type.Object({ webhook_id: Id, delivery_id: Id }),
    response: messageAnd(WebhookDelivery),
    errors: ['not_found', 'conflict'],
  }),
} as const
