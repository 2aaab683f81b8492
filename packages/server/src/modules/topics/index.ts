import { api } from '@lyceum/contract'
import type { Module } from '../../core/module.ts'
import { adminTopicHandlers } from './routes.ts'

export { createTopic } from './commands.ts'
export {
  type CarriedTopic,
  carryTopics,
  countTopics,
  pickTopics,
  topicsOfFeed,
  topicsOfFeeds,
  uncountSpace,
} from './feed-topics.ts'
export { listTopics, spacesOfTopics, type TopicRecord, topicBySlug } from './queries.ts'
export { RULE_SUBJECTS, type TopicRules, topicRules } from './rules.ts'
export { hasTopics, offerTopics, ownTopics, topicsOffered } from './space-topics.ts'
export { viewChoice, viewOffered } from './view.ts'

/** Knows neither feeds nor spaces: they say where a topic is used. */
export const topics: Module = { name: 'topics', mount: (mount) => mount('adminTopics', api.adminTopics, adminTopicHandlers) }
