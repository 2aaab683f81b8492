import { batchStatement, statement } from '../../../../server/src/db/index.ts'
import type { Run } from '../run.ts'

const PAGE = 1000

const names = statement<{ name: string; id: number }>(
  `select foreign_id as name, local_id as id from import_map where source = $1 and kind = 'names' and foreign_id > $2
   order by foreign_id limit ${PAGE}`,
)
const insert = batchStatement(
  { alias: 'text', id: 'bigint' },
  (rows) => `insert into username_aliases (alias, user_id) select d.alias, d.id from ${rows} d
    where not exists (select 1 from users u where u.username = d.alias) on conflict (alias) do nothing`,
)

const isUsable = (name: string): boolean => !/\p{Cc}/u.test(name)

/**
 * Stores source names that differ from usernames as aliases: members sign in with them, and old mentions
 * resolve to them. Call it after all people are imported, so that no alias takes a username.
 */
export const registerAliases = async (run: Run): Promise<void> => {
  const { database } = run.services
  for (let after = ''; ; ) {
    run.checkSignal()
    const rows = await names(database.read, [run.name, after])
    const aliases = rows.filter(({ name }) => isUsable(name)).map(({ name, id }) => [name, id] as const)
    if (aliases.length > 0) await database.write((db) => insert(db, aliases))
    const last = rows.at(-1)
    if (!last || rows.length < PAGE) return
    after = last.name
  }
}
