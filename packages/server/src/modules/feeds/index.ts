export { type FeedAbility, feedAbilities, feedFor, lockFeed, visibleFeeds } from './access.ts'
export { type FeedFor, feedColumns, feedTables, loadFeed } from './rows.ts'
