import { PERMISSIONS } from '@lyceum/contract'
import { actorFor } from '../../auth/authenticate.ts'
import type { Actor } from '../../core/context.ts'
import type { Db } from '../../db/index.ts'
import { managesWebhooks } from './access.ts'
import type { Webhook } from './queries.ts'

/** Through whose eyes deliveries are written. */
export interface CreatorAccess {
  readonly actor: Actor
  /** Tells of what is gone or out of sight too, by its ids: there is nothing that an administrator must not know of. */
  readonly everything: boolean
}

/** An administrator who is nobody in particular, so that drafts of others stay hidden. */
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
 * Whose rights a webhook carries at this moment: those of who made it; undefined where they may not have one any more. One for all content
 * needs an administrator behind it.
 */
export const creatorAccessOf = async (db: Db, { created_by, all_content }: Owned): Promise<CreatorAccess | undefined> => {
  const actor = created_by === null ? undefined : await actorFor(db, created_by)
  if (!actor || !managesWebhooks(actor)) return undefined
  if (!all_content) return { actor, everything: actor.role === 'admin' }
  return actor.role === 'admin' ? { actor: OBSERVER, everything: true } : undefined
}
