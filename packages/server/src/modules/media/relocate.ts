import { setImmediate } from 'node:timers/promises'
import type { MediaSource } from '@lyceum/contract'
import { batchStatement, type Database, type Db, statement, statementNumber, type Value } from '../../db/index.ts'
import { keysIn } from './attachments.ts'

const OBJECTS_PER_WRITE = 200

/** The columns that may contain addresses of the files of an object. */
const HOLDERS: Readonly<Record<MediaSource, readonly [table: string, columns: readonly string[]]>> = {
  feed: ['feeds', ['message', 'message_rendered', 'meta', 'featured_image']],
  comment: ['comments', ['message', 'message_rendered', 'meta']],
  profile: ['users', ['avatar', 'cover_photo']],
  space: ['spaces', ['logo', 'cover_photo', 'description', 'settings', 'lockscreen']],
  course: ['courses', ['logo', 'cover_photo', 'featured_image', 'description', 'content', 'settings', 'lockscreen']],
  lesson: ['lessons', ['content', 'video_url', 'resources']],
}

/** An address of a file at any site; the key may be one of ours. Without a colon in the path, a text of many `http://` is read once. */
const ADDRESS = /https?:\/\/[^\s"'<>()\\/]+(?:\/[^\s"'<>()\\:]*?)?\/media\/([0-9a-f]{32})\//g

const holding = statement<{ object_id: number }>(
  `select distinct object_id from media where status = 'active' and object_source = $1 and object_id > $2 order by object_id limit ${OBJECTS_PER_WRITE}`,
)
const ownKeys = batchStatement<{ key: string }>(
  { key: 'text' },
  (rows) => `select m.key from ${rows} d cross join media m where m.key = d.key`,
)
const anyFile = statementNumber(`select count(*) as n from (select 1 as one from media where status = 'active' limit 1) f`)

const relocator = ([table, columns]: readonly [string, readonly string[]]) => {
  const read = batchStatement<Record<string, Value>>(
    { id: 'bigint' },
    (rows) => `select t.id, ${columns.map((column) => `t.${column}`).join(', ')} from ${rows} d cross join ${table} t where t.id = d.id`,
    ' for no key update of t',
  )
  const write = statement(`update ${table} set ${columns.map((column, i) => `${column} = $${i + 2}`).join(', ')} where id = $1`)
  return async (db: Db, origin: string, ids: readonly number[]): Promise<number> => {
    const rows = await read(db, ids)
    const texts = rows.flatMap((row) => columns.map((column) => row[column]).filter((value) => typeof value === 'string'))
    const own = new Set((await ownKeys(db, keysIn(texts))).map(({ key }) => key))
    const moved = (text: string) => text.replace(ADDRESS, (address, key) => (own.has(key) ? `${origin}/media/${key}/` : address))
    let changed = 0
    for (const row of rows) {
      const before = columns.map((column) => row[column] ?? null)
      const after = before.map((value) => (typeof value === 'string' ? moved(value) : value))
      if (after.every((value, i) => value === before[i])) continue
      await write(db, [row['id'] as number, ...after])
      changed++
    }
    return changed
  }
}

const RELOCATORS = (Object.keys(HOLDERS) as MediaSource[]).map((source) => [source, relocator(HOLDERS[source])] as const)

/**
 * Replaces the addresses of our files by those at `origin`. Objects store whole addresses, which lead nowhere once the community is reached
 * at another address. Returns the number of changed objects.
 */
export const relocateFiles = async (database: Database, origin: string): Promise<number> => {
  let changed = 0
  if ((await anyFile(database.read, [])) === 0) return changed
  for (const [source, relocate] of RELOCATORS)
    for (let last = 0; ; ) {
      const ids = (await holding(database.read, [source, last])).map(({ object_id }) => object_id)
      const end = ids.at(-1)
      if (end === undefined) break
      last = end
      changed += await database.write((db) => relocate(db, origin, ids))
      await setImmediate()
    }
  return changed
}
