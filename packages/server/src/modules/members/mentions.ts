import type { ContentType } from '@lyceum/content'
import type { ReadContext } from '../../core/context.ts'
import type { Db } from '../../db/index.ts'
import { createTextThread } from './text-thread.ts'

const NOT_MENTIONED = ['deleted', 'unverified', 'pending'] as const

/**
 * Users mentioned in a text, by their username or by their name at an imported community: name → id. Excludes deleted accounts and
 * registrations that are not complete.
 */
const mentionedUsers = async (db: Db, names: readonly string[]): Promise<Map<string, number>> => {
  if (names.length === 0) return new Map()
  const rows = await db
    .selectFrom('users')
    .select(['id', 'username'])
    .where('username', 'in', names)
    .where('status', 'not in', NOT_MENTIONED)
    .execute()
  const users = new Map(rows.map((row) => [row.username, row.id]))
  if (users.size === names.length) return users
  const aliases = await db
    .selectFrom('username_aliases')
    .innerJoin('users', 'users.id', 'username_aliases.user_id')
    .select(['users.id', 'alias'])
    .where('alias', 'in', names)
    .where('status', 'not in', NOT_MENTIONED)
    .execute()
  return new Map([...aliases.map((row) => [row.alias, row.id] as const), ...users])
}

/** Usernames that a text mentions, whether they exist or not. */
export const mentionsIn = ({ services }: Pick<ReadContext, 'services'>, source: string, contentType: string): Promise<string[]> =>
  services.stateOf(createTextThread).mentioned(source, contentType as ContentType)

/** Safe HTML of a message. Mentions of existing users become links. */
export const renderMessage = async (ctx: Pick<ReadContext, 'db' | 'services'>, source: string, contentType: string): Promise<string> => {
  const users = await mentionedUsers(ctx.db, await mentionsIn(ctx, source, contentType))
  return ctx.services.stateOf(createTextThread).render(source, contentType as ContentType, new Set(users.keys()))
}
