import { type api, type BodyOf, MAX_WEBHOOKS, PREVIOUS_SECRET_VALID_S } from '@lyceum/contract'
import { shift } from '../../core/clock.ts'
import type { Services, WriteRequest } from '../../core/context.ts'
import { ApiError, invalidField } from '../../core/errors.ts'
import { lockName } from '../../db/index.ts'
import { couldBeReached } from '../../outbound/index.ts'
import { audit } from '../audit/index.ts'
import { assertManages, creatorAccessOf, owns } from './access.ts'
import { headersProblem, unmaskHeaders, withoutCredentials } from './custom-headers.ts'
import { SEND_JOB } from './deliver.ts'
import { countWebhooks, deleteWebhook, eventsOf, loadWebhook, repeatDelivery, saveEvents, type Webhook } from './queries.ts'
import { encryptPart, headersOf, secretsOf } from './secret-encryption.ts'
import { newSecret } from './signing.ts'

type Created = BodyOf<typeof api.webhooks.create>
type Changed = BodyOf<typeof api.webhooks.update>

/**
 * Called before the transaction, since it needs a DNS look-up.
 * @throws invalid_url
 */
export const checkUrl = async ({ config }: Services, url: string | undefined): Promise<void> => {
  if (url === undefined || (await couldBeReached(url, config.outboundAllow))) return
  throw new ApiError('invalid_url', { message: 'url must be a public https URL.', data: { field: 'url' } })
}

const checkedHeaders = (given: Readonly<Record<string, string>>, kept: Readonly<Record<string, string>> = {}) => {
  const problem = headersProblem(given)
  if (problem !== null) throw invalidField('headers', problem)
  return unmaskHeaders(given, kept)
}

/** @throws not_found, rest_forbidden */
export const webhookFor = async ({ db, actor }: Pick<WriteRequest, 'db' | 'actor'>, id: number): Promise<Webhook> => {
  assertManages(actor)
  const webhook = await loadWebhook(db, [id])
  if (!webhook) throw new ApiError('not_found', { message: 'This webhook does not exist.' })
  return webhook
}

/** The webhook, if the caller owns it or is an administrator. @throws not_found, rest_forbidden */
export const ownWebhookFor = async (ctx: Pick<WriteRequest, 'db' | 'actor'>, id: number): Promise<Webhook> => {
  const webhook = await webhookFor(ctx, id)
  if (!owns(ctx.actor, webhook)) throw new ApiError('rest_forbidden', { message: 'This webhook belongs to another user.' })
  return webhook
}

/** @throws rest_forbidden if a member who is not an administrator requests all content */
const checkAllContent = ({ actor }: Pick<WriteRequest, 'actor'>, all: unknown): void => {
  if (all && actor.role !== 'admin')
    throw new ApiError('rest_forbidden', { message: 'A webhook for all content requires administrator rights.' })
}

/** Returns the webhook and its secret, which is shown only once. */
export const createWebhook = async (ctx: WriteRequest, body: Created): Promise<{ webhook: Webhook; secret: string }> => {
  const { db, now, actor, services } = ctx
  checkAllContent(ctx, body.all_content)
  const headers = checkedHeaders(body.headers ?? {})
  await lockName(db, 'webhooks')
  if ((await countWebhooks(db)) >= MAX_WEBHOOKS)
    throw new ApiError('conflict', { message: `There are already ${MAX_WEBHOOKS} webhooks, which is the maximum.` })
  const secret = body.secret ?? newSecret()
  const { id } = await db
    .insertInto('webhooks')
    .values({
      name: body.name.trim(),
      url: body.url,
      status: body.status ?? 'active',
      retry_count: body.retry_count ?? 3,
      secret: '',
      headers: '',
      created_by: actor.id,
      all_content: body.all_content ? 1 : 0,
      created_at: now,
      updated_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  // The id is part of the encryption context.
  await db
    .updateTable('webhooks')
    .set({ secret: encryptPart(services, id, 'secret', secret), headers: encryptPart(services, id, 'headers', JSON.stringify(headers)) })
    .where('id', '=', id)
    .execute()
  await saveEvents(db, id, body.events)
  const webhook = await webhookFor(ctx, id)
  await audit(ctx, 'webhook.created', { object_type: 'webhook', object_id: id, details: auditedOf(webhook, body.events) })
  return { webhook, secret }
}

/** The URL may contain credentials in its path or query, so the audit log only has its origin. */
const auditedOf = ({ name, url, status, retry_count, all_content, created_by }: Webhook, events: readonly string[]) => ({
  name,
  origin: new URL(url).origin,
  status,
  retry_count,
  events,
  all_content: all_content === 1,
  author_id: created_by,
})

export const updateWebhook = async (ctx: WriteRequest, id: number, body: Changed): Promise<Webhook> => {
  const { db, now, actor, services } = ctx
  // Locks the row, so that the values read below stay current.
  await db.updateTable('webhooks').set({ updated_at: now }).where('id', '=', id).execute()
  const before = await ownWebhookFor(ctx, id)
  const { name, url, status, retry_count, events, all_content } = body
  checkAllContent(ctx, all_content)
  const adopts = (await creatorAccessOf(db, before)) === undefined
  // Masked headers must not be sent to a new host: the caller may not know their values.
  const moves = url !== undefined && new URL(url).origin !== new URL(before.url).origin
  const kept = moves ? withoutCredentials(headersOf(services, before)) : headersOf(services, before)
  const headers = body.headers === undefined ? (moves ? kept : undefined) : checkedHeaders(body.headers ?? {}, kept)
  const isFresh = (url !== undefined && url !== before.url) || (status === 'active' && before.status !== 'active')
  await db
    .updateTable('webhooks')
    .set({
      updated_at: now,
      ...(name !== undefined && { name: name.trim() }),
      ...(url !== undefined && { url }),
      ...(status !== undefined && { status }),
      ...(retry_count !== undefined && { retry_count }),
      ...(all_content !== undefined && { all_content: all_content ? 1 : 0 }),
      // A webhook whose creator has lost access is taken over by the administrator who saves it.
      ...(adopts && { created_by: actor.id }),
      ...(headers && { headers: encryptPart(services, id, 'headers', JSON.stringify(headers)) }),
      // A new URL or a reactivation resets the failure state.
      ...(isFresh && { failing_since: null, failures: 0, slow_failures: 0, paused_until: null, last_error: null }),
    })
    .where('id', '=', id)
    .execute()
  if (events) await saveEvents(db, id, events)
  if (isFresh) await ctx.enqueue(SEND_JOB, { webhook_id: id })
  const webhook = await webhookFor(ctx, id)
  const details = { ...auditedOf(webhook, await eventsOf(db, [id])), ...(headers && { headers: Object.keys(headers) }) }
  await audit(ctx, 'webhook.updated', { object_type: 'webhook', object_id: id, details })
  return webhook
}

export const removeWebhook = async (ctx: WriteRequest, id: number): Promise<void> => {
  const webhook = await ownWebhookFor(ctx, id)
  if (!(await deleteWebhook(ctx.db, [id]))) throw new ApiError('not_found', { message: 'This webhook does not exist.' })
  await audit(ctx, 'webhook.deleted', { object_type: 'webhook', object_id: id, details: { name: webhook.name } })
}

/** Creates a new secret; the previous one also signs for a while. */
export const rotateSecret = async (ctx: WriteRequest, id: number): Promise<{ webhook: Webhook; secret: string }> => {
  const { db, now, services } = ctx
  await db.updateTable('webhooks').set({ updated_at: now }).where('id', '=', id).execute()
  const before = await ownWebhookFor(ctx, id)
  const [present = ''] = secretsOf(services, before, now)
  const secret = newSecret()
  await db
    .updateTable('webhooks')
    .set({
      secret: encryptPart(services, id, 'secret', secret),
      previous_secret: encryptPart(services, id, 'secret', present),
      previous_until: shift(now, PREVIOUS_SECRET_VALID_S),
    })
    .where('id', '=', id)
    .execute()
  await audit(ctx, 'webhook.secret_rotated', { object_type: 'webhook', object_id: id, details: { name: before.name } })
  return { webhook: await webhookFor(ctx, id), secret }
}

/** @throws not_found; conflict while the webhook is inactive */
export const redeliver = async (ctx: WriteRequest, webhookId: number, deliveryId: number) => {
  const webhook = await ownWebhookFor(ctx, webhookId)
  const delivery = await repeatDelivery(ctx.db, [deliveryId, webhookId, ctx.now])
  if (!delivery) throw new ApiError('not_found', { message: 'This delivery does not exist.' })
  if (webhook.status !== 'active') throw new ApiError('conflict', { message: 'The webhook is disabled.' })
  await ctx.enqueue(SEND_JOB, { webhook_id: webhookId })
  return delivery
}
