import type { ArchiveRecord } from '@lyceum/contract/archive'
import type { MediaRow } from '../../../../server/src/db/index.ts'
import { filePath } from '../../../../server/src/modules/media/index.ts'
import { addressesOf } from '../addresses.ts'
import { listing } from '../context.ts'
import { personInSpace } from './people.ts'

/** SQL conditions: the object of a file exists. */
const HELD = ['feed', 'comment', 'course', 'lesson', 'space'].map(
  (source) => `(x.object_source = '${source}' and exists (select 1 from ${source}s o where o.id = x.object_id))`,
)

/** SQL condition: files of a space and its content, and avatars of its people. */
const inSpace = (space: string) =>
  `((x.object_source = 'space' and x.object_id = ${space})
    or (x.object_source = 'feed' and exists (select 1 from feeds f where f.id = x.object_id and f.space_id = ${space} and f.status <> 'draft'))
    or (x.object_source = 'comment' and exists
      (select 1 from comments c join feeds f on f.id = c.post_id where c.id = x.object_id and f.space_id = ${space}))
    or (x.object_source = 'profile' and exists
      (select 1 from users u where u.id = x.object_id and u.avatar like '%/media/' || x.key || '/%' and ${personInSpace(space)})))`

export const media = listing<MediaRow, 'media'>({
  columns: 'x.*',
  from: `media x where x.status = 'active' and (x.object_source = 'profile' or ${HELD.join(' or ')})`,
  key: 'x.id',
  inSpace,
  view: async (ctx, rows) => {
    const ids = await ctx.ids({ media: rows.map(({ id }) => id), people: rows.map(({ user_id }) => user_id) })
    const addresses = await addressesOf(
      ctx.db,
      'media_id',
      rows.map(({ id }) => id),
    )
    return rows.map((row) => {
      const record: ArchiveRecord<'media'> = {
        id: ids.of('media', row.id),
        urls: addresses(row.id, filePath(row)),
        key: row.key,
        file_name: row.file_name,
        owner: ids.of('people', row.user_id),
        used_for: row.object_source,
        created_at: row.created_at,
      }
      ctx.places.set(record, row)
      return record
    })
  },
})
