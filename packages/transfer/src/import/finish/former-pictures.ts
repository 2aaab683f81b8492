import { statement } from '../../../../server/src/db/index.ts'
import type { Run } from '../run.ts'

const attach = statement(
  `update media set object_id = user_id where object_source = 'profile' and object_id is null and status = 'active'
   and id in (select m.local_id from import_map m where m.source = $1 and m.kind = 'media')
   and exists (select 1 from users u where u.id = media.user_id and u.status <> 'deleted')`,
)

/**
 * Attaches unused profile pictures to their owners, so that their old URLs stay valid. Call it after everything else
 * is imported, because other content may use the pictures.
 */
export const keepFormerPictures = async (run: Run): Promise<void> => {
  await run.services.database.write((db) => attach(db, [run.name]))
}
