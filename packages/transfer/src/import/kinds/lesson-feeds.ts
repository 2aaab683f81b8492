import { statement, statementOne } from '../../../../server/src/db/index.ts'
import { createLessonFeed } from '../../../../server/src/modules/feeds/lesson-feeds.ts'
import type { Run } from '../run.ts'

const feedOf = statementOne<{ feed_id: number | null }>('select feed_id from lessons where id = $1')
const ownerOf = statementOne<{ owner: number | null }>(
  'select coalesce(k.instructor_id, k.created_by) as owner from lessons l join courses k on k.id = l.course_id where l.id = $1',
)
const setFeed = statement('update lessons set feed_id = $2 where id = $1')

/** Comment feeds of lessons by source id of the lesson. Creates missing ones, for example of drafts. */
export const lessonFeeds = async (run: Run, lessons: readonly (string | null | undefined)[]): Promise<Map<string, number>> => {
  const found = await run.find('lessons', lessons)
  const feeds = new Map<string, number>()
  for (const [id, lesson] of found) {
    if (lesson.feed_id !== null) feeds.set(id, lesson.feed_id)
    else if (run.isDry) feeds.set(id, -lesson.id)
    else
      await run.services.database.write(async (db) => {
        const present = (await feedOf(db, [lesson.id]))?.feed_id
        const owner = (await ownerOf(db, [lesson.id]))?.owner
        if (present) feeds.set(id, present)
        if (present || !owner) return
        const feed = await createLessonFeed(db, { lessonId: lesson.id, title: lesson.title, userId: owner }, run.now)
        await setFeed(db, [lesson.id, feed])
        feeds.set(id, feed)
      })
  }
  return feeds
}
