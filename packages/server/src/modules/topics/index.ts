export { createTopic } from './commands.ts'
export {
  assignTopics,
  countTopics,
  type FeedTopic,
  pickTopics,
  subtractSpaceFromTopics,
  topicsOfFeed,
  topicsOfFeeds,
} from './feed-topics.ts'
export { listTopics, spacesOfTopics, type TopicRecord, topicBySlug } from './queries.ts'
export { RULE_TAGS, type TopicRules, topicRules } from './rules.ts'
export { hasTopics, restrictedTopicsOf, setSpaceTopics, topicsOffered } from './space-topics.ts'
export { viewOfferedTopic, viewTopicChoice } from './view.ts'
