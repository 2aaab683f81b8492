import { type Database, type Db, indexFeed, installCode, lockRow, runText, statement, statementOne } from '../../db/index.ts'
import { findWrongRollups, markStale } from '../../modules/analytics/index.ts'
import { SEARCHED_COLUMNS, type SearchedText, searchText } from '../../modules/feeds/index.ts'
import { markDeleted } from '../../modules/media/index.ts'
import { CHECKS, type Check } from './checks.ts'
import { checkMedia } from './media.ts'
import { findStaleHtml, renderAgain } from './rendering.ts'
import { type CheckOptions, offenders } from './run-checks.ts'

export interface Repaired {
  readonly check: string
  readonly ids: readonly (string | number)[]
}

const makeCount = statement(
  'insert into listed_feed_counts (space_id, privacy, feeds_count) values ($1, $2, 0) on conflict (space_id, privacy) do update set feeds_count = listed_feed_counts.feeds_count',
)
const recount = statement(
  `update listed_feed_counts set feeds_count = (select count(*) from feeds f where f.listed = 1 and coalesce(f.space_id, 0) = $1 and f.privacy = $2)
   where space_id = $1 and privacy = $2`,
)
const unindex = statement('delete from feed_search where rowid = $1')
const feedById = statementOne<SearchedText & { message: string; content_type: string; lesson_id: number | null }>(
  `select ${SEARCHED_COLUMNS.join(', ')}, message, content_type, lesson_id from feeds where id = $1`,
)
const commentById = statementOne<{ message: string; message_rendered: string; content_type: string }>(
  'select message, message_rendered, content_type from comments where id = $1',
)
const setFeedHtml = statement('update feeds set message_rendered = $2 where id = $1')
const setCommentHtml = statement('update comments set message_rendered = $2 where id = $1')

/** Locks the row first and counts in a second statement, so that the count includes concurrent commits. */
const recountTotals = async (db: Db, id: string) => {
  const [space, privacy = ''] = id.split(' ')
  await makeCount(db, [Number(space), privacy])
  await recount(db, [Number(space), privacy])
}

const findAgain = async (db: Db, id: number) => {
  await lockRow(db, 'feeds', id)
  const feed = await feedById(db, [id])
  if (feed && feed.lesson_id === null) await indexFeed(db, id, searchText(feed), false)
  else await unindex(db, [id])
}

/** How to repair a violation of a check; null if that is not possible. */
export const mend = (check: Check) => {
  if (check.name === 'listed_feed_counts') return (db: Db, id: string | number) => recountTotals(db, String(id))
  if (check.name === 'feed_search') return (db: Db, id: string | number) => findAgain(db, Number(id))
  const { repair } = check
  if (!repair) return null
  return async (db: Db, id: string | number) => {
    await lockRow(db, repair.hold, Number(id))
    for (const text of repair.run) await runText(db, text, [id])
  }
}

const renderFeed = async (db: Db, id: number) => {
  await lockRow(db, 'feeds', id)
  const feed = await feedById(db, [id])
  if (feed) await setFeedHtml(db, [id, renderAgain(feed)])
  await findAgain(db, id)
}

const renderComment = async (db: Db, id: number) => {
  await lockRow(db, 'comments', id)
  const comment = await commentById(db, [id])
  if (comment) await setCommentHtml(db, [id, renderAgain(comment)])
}

/**
 * Reinstalls triggers, recomputes counters, search entries and stored HTML, marks lost files as deleted and removes orphaned ones. Each row is
 * repaired in its own transaction, so a server may be running.
 */
export const repair = async (database: Database, { now, sample, storage }: CheckOptions): Promise<Repaired[]> => {
  const done: Repaired[] = []
  const each = async (check: string, ids: readonly (string | number)[], work: (db: Db, id: string | number) => Promise<void>) => {
    for (const id of ids) await database.write((db) => work(db, id))
    if (ids.length > 0) done.push({ check, ids })
  }
  const triggers = await installCode(database)
  if (triggers.length > 0) done.push({ check: 'triggers', ids: triggers })
  const stale = await findStaleHtml(database.read, sample)
  await each('feed_html', stale.feeds, (db, id) => renderFeed(db, Number(id)))
  await each('comment_html', stale.comments, (db, id) => renderComment(db, Number(id)))
  for (const check of CHECKS) {
    const work = mend(check)
    if (work) await each(check.name, await offenders(database.read, check, now), work)
  }
  const figures = await database.snapshot(findWrongRollups)
  if (figures.length > 0) {
    // Mark all rollups as stale; a server rebuilds them.
    await database.write(markStale)
    done.push({ check: 'analytics_figures', ids: figures })
  }
  if (storage) {
    const { missing, strays } = await checkMedia(database.read, storage)
    await each('media_files', missing, (db, id) => markDeleted(db, [Number(id), now]).then(() => {}))
    for (const { store, path } of strays) await store.remove(path)
    if (strays.length > 0) done.push({ check: 'stray_files', ids: strays.map(({ path }) => path) })
  }
  return done
}
