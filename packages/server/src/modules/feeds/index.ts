import { api } from '@lyceum/contract'
import type { Module } from '../../platform/module.ts'
import { expireListed, publishScheduled } from './publish.ts'
import { feedHandlers } from './routes.ts'
import { forgetChanges } from './search-chore.ts'
import { surveyHandlers } from './survey-routes.ts'

export {
  assertUnlocked,
  type FeedAbility,
  feedAbilities,
  feedFor,
  feedsInReach,
  isUnlocked,
  type AccessContext,
  visibleFeeds,
} from './access.ts'
export { hideFeed, prepareUpdate, takeDownFeed, updateFeed } from './changes.ts'
export { countComments, countReactions } from './counters.ts'
export { eraseFeeds, eraseVotes } from './forget.ts'
export { feedFragments, feedJson, type Item as FeedItem, itemOf, viewFeeds } from './hydrate.ts'
export { createLessonFeed, removeLessonFeed, renameLessonFeed } from './lesson-feeds.ts'
export { lockFeed } from './listing.ts'
export { type Meta, mergeMeta, parseMeta } from './meta.ts'
export { type Order, type OrderName, orderBy, orderOf } from './orders.ts'
export { publishPlanned, replan } from './plans.ts'
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
} from './rows.ts'
export { createSearchAhead, type SearchAhead } from './search-ahead.ts'
export { type FeedVisibility, visibilityOf } from './sight.ts'
export { permalink } from './view.ts'

export const feeds: Module = {
  name: 'feeds',
  mount: (mount) => {
    mount('feeds', api.feeds, feedHandlers)
    mount('surveys', api.surveys, surveyHandlers)
  },
  jobs: [publishScheduled, expireListed],
  recurringTasks: [forgetChanges],
}
