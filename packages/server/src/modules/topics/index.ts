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
