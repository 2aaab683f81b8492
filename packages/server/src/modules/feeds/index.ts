export {
  type AccessContext,
  assertUnlocked,
  type FeedAbility,
  feedAbilities,
  feedFor,
  isUnlocked,
  lockedFeedFor,
  reachableFeeds,
  visibleFeeds,
} from './access.ts'
export { hideFeed, prepareUpdate, takeDownFeed, updateFeed } from './commands.ts'
export { countComments, countReactions } from './counters.ts'
export { eraseFeeds, eraseVotes } from './erase.ts'
export { feedFragments, feedJson, type Item as FeedItem, itemOf, viewFeeds } from './feed-json-cache.ts'
export {
  courseOf,
  type FeedAccessRow,
  type FeedFor,
  type FeedHit,
  type FoundFeed,
  feedColumns,
  feedTables,
  hitColumns,
  loadFeed,
  loadFeedAccess,
  loadFeedAccessRows,
} from './feed-row.ts'
export { createLessonFeed, removeLessonFeed, renameLessonFeed } from './lesson-feeds.ts'
export { type Order, type OrderName, orderBy, orderOf } from './list/queries.ts'
export { lockFeed } from './list-counters.ts'
export { type Meta, mergeMeta, parseMeta } from './meta.ts'
export { publishNow, reschedule } from './scheduled-feeds.ts'
export { createSearchWarmup, type SearchWarmup } from './search/feed-index.ts'
export { permalink } from './view.ts'
export { type FeedVisibility, visibilityOf } from './visible-feed-cache.ts'
