import { PERMISSIONS } from '@lyceum/contract'
import { actorFor, may } from '../../auth/authenticate.ts'
import type { Actor } from '../../core/context.ts'
import { ApiError } from '../../core/errors.ts'
import type { Db } from '../../db/index.ts'
import type { Webhook } from './queries.ts'

/** Webhooks cover the whole community, so a manager of some spaces only may not manage them. */
const managesWebhooks = (actor: Actor): boolean => actor.role === 'admin' || may(actor, 'manage_webhooks', null)

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

/** The access with which payloads are built. */
export interface CreatorAccess {
  readonly actor: Actor
  /** Deleted and hidden objects are also sent, by their ids; for administrators. */
  readonly everything: boolean
}

/** An administrator without an account, so that drafts of others stay hidden. */
const OBSERVER: Actor = {
  id: 0,
  username: '',
  role: 'admin',
  permissions: new Set(PERMISSIONS),
  managedSpaces: null,
  createdAt: '',
  sessionId: null,
}

/**
 * The present access of a webhook's creator; undefined if they may no longer have webhooks. A webhook for all content requires an
 * administrator.
 */
export const creatorAccessOf = async (db: Db, { created_by, all_content }: Webhook): Promise<CreatorAccess | undefined> => {
  const actor = created_by === null ? undefined : await actorFor(db, created_by)
  if (!actor || !managesWebhooks(actor)) return undefined
  if (!all_content) return { actor, everything: actor.role === 'admin' }
  return actor.role === 'admin' ? { actor: OBSERVER, everything: true } : undefined
}
