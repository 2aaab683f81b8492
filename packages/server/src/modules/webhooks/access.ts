import { may } from '../../auth/authenticate.ts'
import type { Actor } from '../../core/context.ts'
import { ApiError } from '../../core/errors.ts'
import type { Webhook } from './queries.ts'

/** Webhooks cover the whole community, so a manager of some spaces only may not manage them. */
export const managesWebhooks = (actor: Actor): boolean => actor.role === 'admin' || may(actor, 'manage_webhooks', null)

/** @throws rest_forbidden */
export const assertManages = (actor: Actor): void => {
  if (!managesWebhooks(actor)) throw new ApiError('rest_forbidden')
}

/**
 * A webhook has the access of its creator, so only they may change it: anyone else could change its URL and read with the creator's access.
 * Administrators manage all webhooks.
 */
export const owns = (actor: Actor, { created_by }: Pick<Webhook, 'created_by'>): boolean =>
  actor.role === 'admin' || created_by === actor.id
