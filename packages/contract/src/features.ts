import { Type } from 'typebox'
import { named } from './shapes/common.ts'

/** What an administrator can switch off. */
export const FEATURES = [
  'followers',
  'quizzes',
  'moderation',
  'managers',
  'gif',
  'leaderboard',
  'analytics',
  'topics',
  'webhooks',
  'scheduled_posts',
] as const
export type Feature = (typeof FEATURES)[number]

export const Features = named(
  'Features',
  Object.fromEntries(FEATURES.map((name) => [name, Type.Boolean()])) as Record<Feature, ReturnType<typeof Type.Boolean>>,
)
