import type { MediaSource } from '@lyceum/contract'
import type { WriteRequest } from '../../core/context.ts'
import { statement, statementIn } from '../../db/index.ts'

/** File keys in URLs: 128 random bits. */
const IN_ADDRESS = /\/media\/([0-9a-f]{32})\//g

/** The keys of all our files referenced in some texts. Only the key is matched, since the origin of the site may change. */
export const keysIn = (texts: readonly (string | null | undefined)[]): string[] => [
  ...new Set(texts.flatMap((text) => (text ? [...text.matchAll(IN_ADDRESS)].map((match) => match[1] as string) : []))),
]

const MAX_ATTACHMENTS = 50

const attachBy = (column: 'key' | 'id') =>
  statementIn<{ id: number }>(
    (list) =>
      `update media set status = 'active', object_source = $2, object_id = $3, updated_at = $4
       where user_id = $1 and status = 'uploaded' and ${column} in (${list}) returning id`,
  )
const attachByKey = attachBy('key')
const attachById = attachBy('id')
const attached = statement<{ id: number; key: string }>(
  `select id, key from media where object_source = $1 and object_id = $2 and status = 'active'`,
)
/** Marks files as deleted: hidden immediately, purged some hours later. */
const release = statementIn((list) => `update media set status = 'deleted', updated_at = $1 where status = 'active' and id in (${list})`)

export interface Attachment {
  /** The object that references the files. */
  readonly source: MediaSource
  readonly objectId: number
  /** URLs, or texts containing URLs. Foreign URLs and other content are ignored. */
  readonly urls: readonly (string | null | undefined)[]
  /** Files referenced by id. */
  readonly ids?: readonly number[]
  /** The object was just created, so it has no attachments yet. */
  readonly isNew?: true
}

/**
 * Attaches the files that an object references, and releases those it no longer references. Call it in the transaction that creates or
 * changes the object, with every field that may contain a URL, holding the lock on the object's row:
 *
 * await attachMedia(ctx, { source: 'profile', objectId: userId, urls: [avatar, cover_photo] })
 *
 * Only the caller's own unattached files are attached, so a text with another member's URL publishes nothing. From then on, everyone who
 * may see the object may fetch the files.
 */
export const attachMedia = async (
  { db, actor, now }: Pick<WriteRequest, 'db' | 'actor' | 'now'>,
  { source, objectId, urls, ids = [], isNew }: Attachment,
): Promise<void> => {
  const keys = keysIn(urls)
  const before = isNew ? [] : await attached(db, [source, objectId])
  const gone = before.filter(({ id, key }) => !keys.includes(key) && !ids.includes(id)).map(({ id }) => id)
  await release(db, gone, [now])
  const newKeys = keys.filter((key) => !before.some((row) => row.key === key)).slice(0, MAX_ATTACHMENTS)
  const newIds = ids.filter((id) => Number.isSafeInteger(id) && !before.some((row) => row.id === id)).slice(0, MAX_ATTACHMENTS)
  const place = [actor.id, source, objectId, now]
  await attachByKey(db, newKeys, place)
  await attachById(db, newIds, place)
}

export const detachMedia = async ({ db, now }: Pick<WriteRequest, 'db' | 'now'>, source: MediaSource, objectId: number): Promise<void> => {
  const rows = await attached(db, [source, objectId])
  await release(
    db,
    rows.map(({ id }) => id),
    [now],
  )
}
