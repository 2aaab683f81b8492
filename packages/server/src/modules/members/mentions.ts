import { type ContentType, mentionedUsernames, render } from '@lyceum/content'
import type { Db } from '../../db/index.ts'

const NOT_MENTIONED = ['deleted', 'unverified', 'pending'] as const

/**
 * Users mentioned in a text, by their username or by their name at an imported community: name → id. Excludes deleted accounts and
 * registrations that are not complete.
 */
const mentionedUsers = async (db: Db, source: string, contentType: ContentType): Promise<Map<string, number>> => {
  const names = source.includes('@') ? mentionedUsernames(source, contentType) : []
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

/** Safe HTML of a message. Mentions of existing users become links. */
export const renderMessage = async (db: Db, source: string, contentType: string): Promise<string> => {
  const type = contentType as ContentType
  return render(source, type, { mentions: await mentionedUsers(db, source, type) })
}
