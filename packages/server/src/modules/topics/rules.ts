import type { Infer, TopicConfig } from '@lyceum/contract'
import type { Db } from '../../db/index.ts'
import { readSettings } from '../settings/index.ts'

export interface TopicRules extends Infer<typeof TopicConfig> {
  /** Topics are in use: the feature and the configuration both say so. */
  readonly on: boolean
}

/** What holds for topics at present, by one look-up. */
export const topicRules = async (db: Db): Promise<TopicRules> => {
  const { features, topics } = await readSettings(db, ['features', 'topics'])
  return { ...topics, on: features.topics && topics.enabled }
}

/** What kept shapes depend on that show topics. */
export const RULE_SUBJECTS = ['setting:features', 'setting:topics'] as const

/** How many topics one feed can carry. */
export const mostTopics = ({ allow_multiple, max_topics_per_post }: TopicRules): number => (allow_multiple ? max_topics_per_post : 1)
