import type { Static, TBoolean, TOptional, TSchema, TUnsafe } from 'typebox'
import { FEATURES, type Feature, GIF_LANGUAGES, GIF_RATINGS } from '../features.ts'
import { LimitsConfig } from '../limits.ts'
import { named, oneOf } from '../shapes/common.ts'
import { Type } from '../typebox.ts'
import { TopicConfig } from './topics.ts'

const text = (maxLength: number) => Type.String({ maxLength })
const name = Type.String({ minLength: 1, maxLength: 100, pattern: '\\S' })
const color = Type.String({ pattern: '^#[0-9a-fA-F]{6}$', examples: ['#2563eb'] })
const flag = Type.Boolean()
const switches = Type.Object(Object.fromEntries(FEATURES.map((feature) => [feature, flag])) as Record<Feature, TBoolean>, {
  additionalProperties: false,
})

/** Settings by group and key. `GET /settings/{key}` returns their descriptions. */
export const SETTING_GROUPS = {
  general: { site_name: name, site_description: text(1000), timezone: text(100), date_format: name, time_format: name },
  registration: { allow_registration: flag, require_email_verification: flag, approval_required: flag, default_role: oneOf(['member']) },
  content: {
    allow_comments: flag,
    allow_reactions: flag,
    moderate_posts: flag,
    moderate_comments: flag,
    spam_protection: flag,
    auto_approve_trusted_users: flag,
  },
  notifications: {
    enable_email_notifications: flag,
    enable_push_notifications: flag,
    digest_frequency: oneOf(['daily', 'weekly', 'never']),
  },
  email: { admin_email: text(254), from_name: text(100), from_email: text(254) },
  appearance: { primary_color: color, secondary_color: color, logo_url: text(2048), favicon_url: text(2048), custom_css: text(50_000) },
  integrations: { gif_rating: oneOf(GIF_RATINGS), gif_language: oneOf(GIF_LANGUAGES) },
  features: { features: switches, topics: TopicConfig },
  limits: { limits: LimitsConfig },
} as const

export type SettingGroup = keyof typeof SETTING_GROUPS
export const SETTING_GROUP_NAMES = Object.keys(SETTING_GROUPS) as SettingGroup[]

type Groups = typeof SETTING_GROUPS
type Merged<U> = (U extends unknown ? (value: U) => void : never) extends (value: infer I) => void ? I : never
type All = Merged<Groups[SettingGroup]>
export type SettingSchemas = { readonly [K in keyof All]: All[K] extends TSchema ? All[K] : never }
export const SETTING_SCHEMAS = Object.assign({}, ...Object.values(SETTING_GROUPS)) as SettingSchemas

/** Settings by key. The server validates each value, so that an error can name the setting. */
export const settingChanges = Object.fromEntries(
  Object.entries(SETTING_SCHEMAS as unknown as Record<string, { type?: string; enum?: readonly string[] }>).map(
    ([key, { type, enum: values }]) => [
      key,
      Type.Optional(Type.Unsafe({ description: values ? `One of ${values.join(', ')}.` : `A value of type ${type}.` })),
    ],
  ),
) as unknown as { readonly [K in keyof SettingSchemas]: TOptional<TUnsafe<Partial<Static<SettingSchemas[K]>>>> }

type Shaped = { readonly [G in SettingGroup]: TOptional<ReturnType<typeof Type.Object<Groups[G]>>> }
export const SettingsByGroup = named(
  'SettingsByGroup',
  Object.fromEntries(Object.entries(SETTING_GROUPS).map(([group, keys]) => [group, Type.Optional(Type.Object(keys))])) as unknown as Shaped,
)
