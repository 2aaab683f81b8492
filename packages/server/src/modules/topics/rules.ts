import type { Infer, TopicConfig } from '@lyceum/contract'
import type { Db } from '../../db/index.ts'
import { readSettings } from '../settings/index.ts'

export interface TopicRules extends Infer<typeof TopicConfig> {
  /** Both the feature and the configuration enable topics. */
  readonly on: boolean
}

/** The current topic settings, in a single query. */
export const topicRules = async (db: Db): Promise<TopicRules> => {
  const { features, topics } = await readSettings(db, ['features', 'topics'])
  return { ...topics, on: features.topics && topics.enabled }
}

/** Cache tags of the settings that affect how topics are shown. */
export const RULE_TAGS = ['setting:features', 'setting:topics'] as const

/** The maximum number of topics per feed. */
export const maxTopicsPerFeed = ({ allow_multiple, max_topics_per_post }: TopicRules): number => (allow_multiple ? max_topics_per_post : 1)
