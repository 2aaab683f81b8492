import { mentionedUsernames } from '../../content/mention-extract.ts'
import { type ContentType, render } from '../../content/render.ts'
import type { Db } from '../../db/index.ts'

const NO_USERS: ReadonlySet<string> = new Set()

/** Users mentioned in a text: username → id. Excludes deleted accounts and registrations that are not complete. */
const mentionedUsers = async (db: Db, source: string, contentType: ContentType): Promise<Map<string, number>> => {
  const names = source.includes('@') ? mentionedUsernames(source, contentType) : []
  if (names.length === 0) return new Map()
  const rows = await db
    .selectFrom('users')
    .select(['id', 'username'])
    .where('username', 'in', names)
    .where('status', 'not in', ['deleted', 'unverified', 'pending'])
    .execute()
  return new Map(rows.map((row) => [row.username, row.id]))
}

/** Safe HTML of a message. Mentions of existing users become links. */
export const renderMessage = async (db: Db, source: string, contentType: string): Promise<string> => {
  const type = contentType as ContentType
  const users = await mentionedUsers(db, source, type)
  return render(source, type, { mentions: users.size > 0 ? new Set(users.keys()) : NO_USERS })
}
