import type { MediaSource } from '@lyceum/contract'
import type { WriteRequest } from '../../core/context.ts'
import { type Db, statement, statementIn } from '../../db/index.ts'

/** A key as it stands in addresses: 128 random bits. */
const IN_ADDRESS = /\/media\/([0-9a-f]{32})\//g

/** The keys of all our files that some texts refer to; the address of the site may change, the key does not. */
export const keysIn = (texts: readonly (string | null | undefined)[]): string[] => [
  ...new Set(texts.flatMap((text) => (text ? [...text.matchAll(IN_ADDRESS)].map((match) => match[1] as string) : []))),
]

/** Most files that one object holds on to. */
const MOST = 50

const attach = statementIn<{ id: number }>(
  (list) =>
    `update media set status = 'active', object_source = $2, object_id = $3, updated_at = $4
     where user_id = $1 and status = 'uploaded' and key in (${list(5)}) returning id`,
)
const attachById = statementIn<{ id: number }>(
  (list) =>
    `update media set status = 'active', object_source = $2, object_id = $3, updated_at = $4
     where user_id = $1 and status = 'uploaded' and id in (${list(5)}) returning id`,
)
const attached = statement<{ id: number; key: string }>(
  `select id, key from media where object_source = $1 and object_id = $2 and status = 'active'`,
)
const release = statementIn((list) => `update media set status = 'deleted', updated_at = $1 where status = 'active' and id in (${list(2)})`)

export interface Attachment {
  /** What refers to the files. */
  readonly source: MediaSource
  readonly objectId: number
  /** Addresses, or texts with addresses in them: others’ addresses and anything else in them does not matter. */
  readonly urls: readonly (string | null | undefined)[]
  /** Files that are named by their ids. */
  readonly ids?: readonly number[]
  /** The object was made just now: it holds on to nothing yet. */
  readonly isNew?: true
}

/** Marks files deleted, which takes them out of sight at once and away some hours later. */
const releaseAll = async (db: Db, ids: readonly number[], now: string) => {
  if (ids.length > 0) await release(db, ids.length, [now, ...ids])
}

/**
 * Ties files to the object that refers to them, and lets go of those that it no longer refers to. Call it in the write that makes or changes
 * the object, with everything in it that may hold an address; hold the object's row before, as for any change of it:
 *
 *     await attachMedia(ctx, { source: 'profile', objectId: userId, urls: [avatar, cover_photo] })
 *
 * Only unattached files of the caller are taken: somebody else's address in a text publishes nothing. From then on whoever may see the object
 * may fetch them.
 */
export const attachMedia = async (
  { db, actor, now }: Pick<WriteRequest, 'db' | 'actor' | 'now'>,
  { source, objectId, urls, ids = [], isNew }: Attachment,
): Promise<void> => {
  const keys = keysIn(urls)
  const before = isNew ? [] : await attached(db, [source, objectId])
  const gone = before.filter(({ id, key }) => !keys.includes(key) && !ids.includes(id)).map(({ id }) => id)
  await releaseAll(db, gone, now)
  const newKeys = keys.filter((key) => !before.some((row) => row.key === key)).slice(0, MOST)
  const newIds = ids.filter((id) => Number.isSafeInteger(id) && !before.some((row) => row.id === id)).slice(0, MOST)
  const place = [actor.id, source, objectId, now]
  if (newKeys.length > 0) await attach(db, newKeys.length, [...place, ...newKeys])
  if (newIds.length > 0) await attachById(db, newIds.length, [...place, ...newIds])
}

/** Lets go of all files of an object that is gone. */
export const detachMedia = async ({ db, now }: Pick<WriteRequest, 'db' | 'now'>, source: MediaSource, objectId: number): Promise<void> => {
  const rows = await attached(db, [source, objectId])
  await releaseAll(
    db,
    rows.map(({ id }) => id),
    now,
  )
}
