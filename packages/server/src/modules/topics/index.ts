import { api } from '@lyceum/contract'
import type { Module } from '../../platform/module.ts'
import { adminTopicHandlers } from './routes.ts'

export {
  type CarriedTopic,
  carryTopics,
  countTopics,
  pickTopics,
  topicsOfFeed,
  topicsOfFeeds,
  uncountSpace,
} from './carried.ts'
export { createTopic } from './changes.ts'
export { hasTopics, offerTopics, ownTopics, topicsOffered } from './offers.ts'
export { listTopics, spacesOfTopics, type TopicRecord, topicBySlug } from './queries.ts'
export { RULE_SUBJECTS, type TopicRules, topicRules } from './rules.ts'
export { viewChoice, viewOffered } from './view.ts'

/** Knows neither feeds nor spaces: they say where a topic is used. */
export const topics: Module = { name: 'topics', mount: (mount) => mount('adminTopics', api.adminTopics, adminTopicHandlers) }
