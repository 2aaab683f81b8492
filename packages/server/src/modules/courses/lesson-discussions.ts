import type { WriteContext } from '../../core/context.ts'
import { statement } from '../../db/index.ts'

/** The feed of a lesson under which something was said. */
interface Talk {
  readonly id: number
  readonly user_id: number
}

const talks = (column: string) =>
  statement<Talk>(
    `select f.id, f.user_id from lessons l join feeds f on f.id = l.feed_id where l.${column} = $1
     and (exists (select 1 from comments c where c.post_id = f.id) or exists (select 1 from reactions r where r.feed_id = f.id)) order by f.id`,
  )
/** What was said under the lessons of a course, or of a section: to be asked for before these go, and their feeds with them. */
export const talksIn = talks('course_id')
export const talksInSection = talks('section_id')

/** Tells of feeds that went with their lessons. */
export const notifyOfLostTalks = async ({ emit }: Pick<WriteContext, 'emit'>, lost: readonly Talk[]): Promise<void> => {
  for (const { id, user_id } of lost) await emit('feed.deleted', { feed_id: id, user_id })
}
