import { PUSH_SUBSCRIPTIONS } from '@lyceum/contract'
import {
  batchStatement,
  type Db,
  insertSql,
  type PushSubscriptionRow,
  statement,
  statementExists,
  statementOne,
  valuesIn,
} from '../../../db/index.ts'

export type Subscription = Omit<PushSubscriptionRow, 'user_id' | 'session_id'>

const COLUMNS = 'id, endpoint, p256dh, auth, user_agent, created_at, last_used_at'

export const subscriptionsOf = statement<Subscription>(`select ${COLUMNS} from push_subscriptions where user_id = $1 order by id`)

const ofUsers = batchStatement<{ id: number; user_id: number }>(
  { user_id: 'bigint' },
  (rows) => `select s.id, s.user_id from ${rows} d cross join push_subscriptions s where s.user_id = d.user_id order by s.id`,
)
/** The subscriptions of several members; ids must be unique. */
export const subscriptionsOfEach = (db: Db, userIds: readonly number[]) => ofUsers(db, userIds)

/** By id and user id: the subscription, if it still belongs to that member. */
export const subscriptionOf = statementOne<Subscription>(`select ${COLUMNS} from push_subscriptions where id = $1 and user_id = $2`)

const SAVED = ['user_id', 'endpoint', 'p256dh', 'auth', 'user_agent', 'created_at', 'session_id'] as const
const upsert = statementOne<{ id: number; created_at: string }>(
  `${insertSql('push_subscriptions', SAVED)}
   on conflict (endpoint) do update set user_id = excluded.user_id, p256dh = excluded.p256dh, auth = excluded.auth,
     user_agent = excluded.user_agent, session_id = excluded.session_id,
     created_at = case when push_subscriptions.user_id = excluded.user_id then push_subscriptions.created_at else excluded.created_at end,
     last_used_at = case when push_subscriptions.user_id = excluded.user_id then push_subscriptions.last_used_at end
   returning id, created_at`,
)
const deleteExcess = statement(
  `delete from push_subscriptions where id in (select id from push_subscriptions where user_id = $1 and id <> $2
   order by coalesce(last_used_at, created_at) desc, id desc limit 100 offset ${PUSH_SUBSCRIPTIONS - 1})`,
)

/** `session_id`: the session it ends with. Null if it was created with an application password; it then ends when access is revoked. */
type NewSubscription = Omit<PushSubscriptionRow, 'id' | 'last_used_at'>

/** Adds a device or updates its keys. Above the limit, the least recently used one is deleted. */
export const saveSubscription = async (db: Db, subscription: NewSubscription) => {
  const saved = await upsert(db, valuesIn(subscription, SAVED))
  if (!saved) throw new Error('the subscription was not saved')
  await deleteExcess(db, [subscription.user_id, saved.id])
  return saved
}

export const removeSubscription = statementExists('delete from push_subscriptions where id = $1 and user_id = $2 returning id')
export const removeEndpoint = statement('delete from push_subscriptions where endpoint = $1 and user_id = $2')
export const markUsed = statement('update push_subscriptions set last_used_at = $2 where id = $1')
/** By id and endpoint: a subscription that the push service reports as gone, unless the member has renewed it in the meantime. */
export const deleteSubscription = statement('delete from push_subscriptions where id = $1 and endpoint = $2')
