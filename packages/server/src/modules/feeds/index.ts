export {
  type AccessContext,
  assertUnlocked,
  feedAbilities,
  feedFor,
  isUnlocked,
  lockedFeedFor,
  reachableFeeds,
  spaceContext,
  visibleFeeds,
} from './access.ts'
export { hideFeed, takeDownFeed, updateFeed } from './commands.ts'
export { countComments, countReactions, lockFeed } from './counters.ts'
export { eraseFeeds, eraseVotes } from './erase.ts'
export { type FeedFacts, loadFeedFacts } from './facts.ts'
export { feedJson, itemOf, viewFeeds } from './feed-json-cache.ts'
export {
  courseOf,
  type FeedAccessRow,
  type FeedFor,
  type FoundFeed,
  feedTables,
  hitColumns,
  loadFeed,
  loadFeedAccess,
  loadFeedAccessRows,
  parseMeta,
} from './feed-row.ts'
export { SEARCHED_COLUMNS, type SearchedText, STORED_FIELDS, searchText } from './fields.ts'
export { createLessonFeed, removeLessonFeed, renameLessonFeed } from './lesson-feeds.ts'
export { orderBy, orderOf, readCursor, writeCursor } from './list/queries.ts'
export { type Meta, mergeMeta } from './meta.ts'
export { createSearchWarmup } from './search/feed-index.ts'
export { permalink } from './view.ts'
export { cachedViewerState, visibilityOf } from './visible-feed-cache.ts'
