import type { ErrorCode } from './errors.ts'
import { named } from './shapes/common.ts'
import { Type } from './typebox.ts'

/** Features that administrators can disable. */
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

/** Error codes of disabled features other than `pro_feature_required`. */
const OFF: { readonly [F in Feature]?: ErrorCode } = { gif: 'gif_disabled', leaderboard: 'leaderboard_disabled' }
export const disabledError = (feature: Feature): ErrorCode => OFF[feature] ?? 'pro_feature_required'

export const GIF_RATINGS = ['g', 'pg', 'pg-13', 'r'] as const
/** Languages of GIF searches. */
export const GIF_LANGUAGES = [
  ...['ar', 'bn', 'cs', 'da', 'de', 'en', 'es', 'fa', 'fi', 'fr', 'he', 'hi', 'hu', 'id', 'it', 'iw', 'ja', 'ko', 'ms', 'nl', 'no', 'pl'],
  ...['pt', 'ro', 'ru', 'sv', 'th', 'tl', 'tr', 'uk', 'vi', 'zh-CN', 'zh-TW'],
] as const
