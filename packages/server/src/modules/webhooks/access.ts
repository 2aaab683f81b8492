import { may } from '../../platform/auth/permissions.ts'
import type { Actor } from '../../platform/context.ts'
import { ApiError } from '../../platform/errors.ts'

/**
 * Webhooks tell of the whole community, so that a record that is limited to some spaces is not enough.
 * @throws rest_forbidden
 */
export const assertManages = (actor: Actor): void => {
  if (actor.role !== 'admin' && !may(actor, 'manage_webhooks', null)) throw new ApiError('rest_forbidden')
}
