import { PERMISSIONS } from '@lyceum/contract'
import { actorFor } from '../../auth/authenticate.ts'
import type { Actor } from '../../core/context.ts'
import type { Db } from '../../db/index.ts'
import { managesWebhooks } from './access.ts'
import type { Webhook } from './queries.ts'

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

type Owned = Pick<Webhook, 'created_by' | 'all_content'>

/**
 * The present access of a webhook's creator; undefined if they may no longer have webhooks. A webhook for all content requires an
 * administrator.
 */
export const creatorAccessOf = async (db: Db, { created_by, all_content }: Owned): Promise<CreatorAccess | undefined> => {
  const actor = created_by === null ? undefined : await actorFor(db, created_by)
  if (!actor || !managesWebhooks(actor)) return undefined
  if (!all_content) return { actor, everything: actor.role === 'admin' }
  return actor.role === 'admin' ? { actor: OBSERVER, everything: true } : undefined
}
