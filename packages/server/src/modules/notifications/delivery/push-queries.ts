import { PUSH_SUBSCRIPTIONS } from '@lyceum/contract'
import { batchStatement, type Db, statement, statementOne } from '../../../db/index.ts'

export interface Subscription {
  readonly id: number
  readonly endpoint: string
  readonly p256dh: string
  readonly auth: string
  readonly user_agent: string
  readonly created_at: string
  readonly last_used_at: string | null
}

const COLUMNS = 'id, endpoint, p256dh, auth, user_agent, created_at, last_used_at'

const ofUser = statement<Subscription>(`select ${COLUMNS} from push_subscriptions where user_id = $1 order by id`)
export const subscriptionsOf = (db: Db, userId: number) => ofUser(db, [userId])

const ofUsers = batchStatement<{ id: number; user_id: number }>(
  { user_id: 'bigint' },
  (rows) => `select s.id, s.user_id from ${rows} d cross join push_subscriptions s where s.user_id = d.user_id order by s.id`,
)
/** The subscriptions of several members; ids must be unique. */
export const subscriptionsOfEach = (db: Db, userIds: readonly number[]) => ofUsers(db, userIds)

const oneOf = statementOne<Subscription>(`select ${COLUMNS} from push_subscriptions where id = $1 and user_id = $2`)
/** The subscription, if it still belongs to that member. */
export const subscriptionOf = (db: Db, id: number, userId: number) => oneOf(db, [id, userId])

const upsert = statementOne<{ id: number; created_at: string }>(
  `insert into push_subscriptions (user_id, endpoint, p256dh, auth, user_agent, created_at, session_id) values ($1, $2, $3, $4, $5, $6, $7)
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

interface NewSubscription {
  readonly userId: number
  readonly endpoint: string
  readonly p256dh: string
  readonly auth: string
  readonly userAgent: string
  readonly now: string
  /** The session it ends with. Null if it was created with an application password; it then ends when access is revoked. */
  readonly sessionId: number | null
}

/** Adds a device or updates its keys. Above the limit, the least recently used one is deleted. */
export const saveSubscription = async (db: Db, { userId, endpoint, p256dh, auth, userAgent, now, sessionId }: NewSubscription) => {
  const saved = await upsert(db, [userId, endpoint, p256dh, auth, userAgent, now, sessionId])
  if (!saved) throw new Error('the subscription was not saved')
  await deleteExcess(db, [userId, saved.id])
  return saved
}

const removeOwn = statementOne<{ id: number }>('delete from push_subscriptions where id = $1 and user_id = $2 returning id')
export const removeSubscription = (db: Db, id: number, userId: number) => removeOwn(db, [id, userId])

const removeByEndpoint = statement('delete from push_subscriptions where endpoint = $1 and user_id = $2')
export const removeEndpoint = (db: Db, endpoint: string, userId: number) => removeByEndpoint(db, [endpoint, userId])

const used = statement('update push_subscriptions set last_used_at = $2 where id = $1')
export const markUsed = (db: Db, id: number, now: string) => used(db, [id, now])

const deleteByEndpoint = statement('delete from push_subscriptions where id = $1 and endpoint = $2')
/** Deletes a subscription that the push service reports as gone, unless the member has renewed it in the meantime. */
export const deleteSubscription = (db: Db, id: number, endpoint: string) => deleteByEndpoint(db, [id, endpoint])
