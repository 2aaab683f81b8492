import { statement } from '../../../../server/src/db/index.ts'
import type { Run } from '../run.ts'

const attach = statement(
  `update media set object_id = user_id where object_source = 'profile' and object_id is null and status = 'active'
   and id in (select m.local_id from import_map m where m.source = $1 and m.kind = 'media')
   and exists (select 1 from users u where u.id = media.user_id and u.status <> 'deleted')`,
)

/**
 * Gives the profile pictures that nothing shows any more to their owners, so that their old addresses lead to them. Call it when everything else
 * is imported: the pictures may be used elsewhere.
 */
export const keepFormerPictures = async (run: Run): Promise<void> => {
  await run.services.database.write((db) => attach(db, [run.name]))
}
