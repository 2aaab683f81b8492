import type { WriteContext } from '../../core/context.ts'
import { statement } from '../../db/index.ts'

/** The feed that holds a lesson's discussion. */
interface Discussion {
  readonly id: number
  readonly user_id: number
}

const discussionsWhere = (column: string) =>
  statement<Discussion>(
    `select f.id, f.user_id from lessons l join feeds f on f.id = l.feed_id where l.${column} = $1
     and (exists (select 1 from comments c where c.post_id = f.id) or exists (select 1 from reactions r where r.feed_id = f.id)) order by f.id`,
  )
/** Discussion feeds of a course or section. Query them before it is deleted, since the feeds are deleted by cascade. */
export const courseDiscussions = discussionsWhere('course_id')
export const sectionDiscussions = discussionsWhere('section_id')

/** Emits `feed.deleted` for feeds that were deleted with their lessons. */
export const emitDiscussionsDeleted = async ({ emit }: Pick<WriteContext, 'emit'>, deleted: readonly Discussion[]): Promise<void> => {
  for (const { id, user_id } of deleted) await emit('feed.deleted', { feed_id: id, user_id })
}
