import { Type } from 'typebox'
import { route } from '../route.ts'
import { dataOf, named } from '../shapes/common.ts'

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

export const settings = {
  public: route({
    method: 'GET',
    path: '/settings/public',
    access: 'public',
    summary: 'What everybody may know about this community',
    response: dataOf(
      Type.Object({
        site_name: Type.String(),
        site_description: Type.String(),
        allow_registration: Type.Boolean(),
        logo_url: Type.String({ description: 'URL, may be empty' }),
        primary_color: Type.String({ examples: ['#2563eb'] }),
        features: Features,
      }),
    ),
  }),
} as const
