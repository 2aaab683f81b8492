import { type api, type BodyOf, type Infer, MAIL_TYPES, type NotificationPreferences, PUSH_TYPES } from '@lyceum/contract'
import type { ReadRequest, WriteRequest } from '../../core/context.ts'
import { ApiError } from '../../core/errors.ts'
import { type Db, statement, statementIn, statementOne } from '../../db/index.ts'
import { profileFor } from '../members/index.ts'
import { readPage } from '../settings/index.ts'

export type Preferences = Infer<typeof NotificationPreferences>

interface Row {
  readonly user_id: number
  readonly email: string
  readonly push: string
  readonly digest_frequency: Preferences['digest_frequency'] | null
}

const rowsOf = statementIn<Row>(
  (list) => `select user_id, email, push, digest_frequency from notification_preferences where user_id in (${list})`,
)
/** Locks the row until the end of the transaction, so that no concurrent change is lost. */
const lockRowOf = statementOne<Row>(
  `insert into notification_preferences (user_id, updated_at) values ($1, $2)
   on conflict (user_id) do update set updated_at = excluded.updated_at returning user_id, email, push, digest_frequency`,
)
const store = statement('update notification_preferences set email = $2, push = $3, digest_frequency = $4 where user_id = $1')

const DEFAULT_MAIL = { new_comment: true, new_reaction: false, new_follower: true, mention: true, space_invite: true }
const DEFAULT_PUSH = { new_comment: true, new_reaction: true, mention: true }

/** The given values, with the earlier ones for missing keys. */
const merged = <T extends Record<string, boolean>>(
  keys: readonly (keyof T & string)[],
  before: T,
  given: Partial<Record<string, boolean>> = {},
): T => Object.fromEntries(keys.map((key) => [key, (Object.hasOwn(given, key) ? given[key] : undefined) ?? before[key]])) as T

const defaultsOf = async (db: Db) => {
  const { digest_frequency: digest, com_my_post_mail, mention_mail } = await readPage(db, 'email')
  return { digest, mail: { ...DEFAULT_MAIL, new_comment: com_my_post_mail === 'yes', mention: mention_mail === 'yes' } }
}
type Defaults = Awaited<ReturnType<typeof defaultsOf>>

const viewOf = (row: Omit<Row, 'user_id'> | undefined, { digest, mail }: Defaults): Preferences => ({
  email_notifications: merged(MAIL_TYPES, mail, JSON.parse(row?.email ?? '{}')),
  push_notifications: merged(PUSH_TYPES, DEFAULT_PUSH, JSON.parse(row?.push ?? '{}')),
  digest_frequency: row?.digest_frequency ?? digest,
})

export const preferencesOf = async (db: Db, userIds: readonly number[]): Promise<Map<number, Preferences>> => {
  const [standard, rows] = await Promise.all([defaultsOf(db), rowsOf(db, userIds)])
  const known = new Map(rows.map((row) => [row.user_id, row]))
  return new Map(userIds.map((id) => [id, viewOf(known.get(id), standard)]))
}

/** Requires the caller's own username. @throws 400 invalid_username, 404 user_not_found, 403 rest_forbidden */
export const checkOwn = async (ctx: ReadRequest, username: string): Promise<void> => {
  const profile = await profileFor(ctx, username)
  if (profile.id !== ctx.actor.id) throw new ApiError('rest_forbidden')
}

type Changing = Pick<WriteRequest, 'db' | 'now' | 'emit'> & { readonly actor: Pick<WriteRequest['actor'], 'id'> }

/** Changes the given keys only. */
export const savePreferences = async ({ db, actor, now, emit }: Changing, given: BodyOf<typeof api.notifications.savePreferences>) => {
  const standard = await defaultsOf(db)
  const before = await lockRowOf(db, [actor.id, now])
  const present = viewOf(before, standard)
  const row = {
    email: JSON.stringify(merged(MAIL_TYPES, present.email_notifications, given.email_notifications)),
    push: JSON.stringify(merged(PUSH_TYPES, present.push_notifications, given.push_notifications)),
    digest_frequency: given.digest_frequency ?? before?.digest_frequency ?? null,
  }
  await store(db, [actor.id, row.email, row.push, row.digest_frequency])
  await emit('user.preferences_changed', { user_id: actor.id })
  return viewOf(row, standard)
}
