export {
  type AccessContext,
  assertUnlocked,
  type FeedAbility,
  feedAbilities,
  feedFor,
  feedsInReach,
  isUnlocked,
  visibleFeeds,
} from './access.ts'
export { hideFeed, prepareUpdate, takeDownFeed, updateFeed } from './commands.ts'
export { countComments, countReactions } from './counters.ts'
export { eraseFeeds, eraseVotes } from './erase.ts'
export { feedFragments, feedJson, type Item as FeedItem, itemOf, viewFeeds } from './feed-json-cache.ts'
export {
  type FeedFor,
  type FeedHit,
  type FeedStanding,
  type FoundFeed,
  feedColumns,
  feedTables,
  hitColumns,
  lessonOf,
  loadFeed,
  loadStanding,
  loadStandings,
} from './feed-row.ts'
export { createLessonFeed, removeLessonFeed, renameLessonFeed } from './lesson-feeds.ts'
export { type Order, type OrderName, orderBy, orderOf } from './list/sort-orders.ts'
export { lockFeed } from './list-counters.ts'
export { type Meta, mergeMeta, parseMeta } from './meta.ts'
export { publishPlanned, replan } from './scheduled-feeds.ts'
export { createSearchAhead, type SearchAhead } from './search/warmup.ts'
export { permalink } from './view.ts'
export { type FeedVisibility, visibilityOf } from './visible-feed-cache.ts'
