import { may } from '../../auth/permissions.ts'
import type { Actor } from '../../core/context.ts'
import { ApiError } from '../../core/errors.ts'
import type { Webhook } from './queries.ts'

/** Webhooks tell of the whole community, so that a record that is limited to some spaces is not enough. */
export const managesWebhooks = (actor: Actor): boolean => actor.role === 'admin' || may(actor, 'manage_webhooks', null)

/** @throws rest_forbidden */
export const assertManages = (actor: Actor): void => {
  if (!managesWebhooks(actor)) throw new ApiError('rest_forbidden')
}

/**
 * A webhook carries the rights of who made it, so that it is theirs alone: whoever else could change its address would read with their eyes.
 * Administrators manage all of them.
 */
export const owns = (actor: Actor, { created_by }: Pick<Webhook, 'created_by'>): boolean =>
  actor.role === 'admin' || created_by === actor.id
