import { createHmac } from 'node:crypto'
import type { Services, WriteContext } from '../../core/context.ts'
import { statement, statementOne } from '../../db/index.ts'

const owner = statementOne<{ user_id: number }>('select user_id from username_aliases where alias = $1')

/** The account that texts of an imported community mention by this name, in lower case; null if there is none. */
export const aliasOwner = async ({ db }: Pick<WriteContext, 'db'>, alias: string): Promise<number | null> =>
  (await owner(db, [alias]))?.user_id ?? null

const ERASED = 'erased:'

/** Replaces the id of an erased account in the import map: an import recognizes the account, but the id, such as an address, is gone. */
export const erasedForeignId = ({ keys }: Pick<Services, 'keys'>, source: string, foreignId: string): string =>
  `${ERASED}${createHmac('sha256', keys.usernames).update(`${source}\n${foreignId}`).digest('base64url')}`

const mapped = statement<{ source: string; kind: string; foreign_id: string }>(
  `select source, kind, foreign_id from import_map where kind in ('people', 'names') and local_id = $1`,
)
const forgetName = statement(`delete from import_map where source = $1 and kind = 'names' and foreign_id = $2`)
const forget = statement(
  `update import_map set foreign_id = $3, hash = '', fingerprint = '', unresolved = 0
   where source = $1 and kind = 'people' and foreign_id = $2`,
)

/** Erases what an import stored of an account, so that it is neither recognizable nor imported again. */
export const eraseImported = async ({ db, services }: Pick<WriteContext, 'db' | 'services'>, userId: number): Promise<void> => {
  for (const { source, kind, foreign_id } of await mapped(db, [userId])) {
    if (kind === 'names') await forgetName(db, [source, foreign_id])
    else if (!foreign_id.startsWith(ERASED)) await forget(db, [source, foreign_id, erasedForeignId(services, source, foreign_id)])
  }
}
