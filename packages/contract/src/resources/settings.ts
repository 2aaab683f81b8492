import { FEATURES, type Feature, Features, GIF_LANGUAGES, GIF_RATINGS } from '../features.ts'
import { route } from '../route.ts'
import { Count, dataOf, explicit, FlagInput, Message, messageAnd, named, nullable, oneOf } from '../shapes/common.ts'
import { Type } from '../typebox.ts'
import { SETTING_GROUP_NAMES, SettingsByGroup, settingChanges } from './setting-values.ts'
import { AuthPage, ColorPage, CustomizationPage, GeneralPage, MenuPage, WelcomeBannerPage } from './settings-page-shapes.ts'

/** The general settings that pages for guests need. */
const LOOKS = [
  'white_logo',
  'featured_image',
  'logo_permalink_type',
  'logo_permalink',
  'auth_redirect',
  'use_custom_signup_page',
  'custom_signup_url',
] as const
const GuestBanner = Type.Object({
  ...WelcomeBannerPage.properties.logout.properties,
  description_rendered: Type.String({ description: 'The text as sanitized HTML.' }),
})

export const GIF_KEY_LENGTH = 500

/** Feature flags and the settings of GIF search, without its API key. */
export const FeatureSettings = named('FeatureSettings', {
  ...Features.properties,
  gif_enabled: Type.Boolean({ description: 'An alias of `gif`.' }),
  gif_rating: oneOf(GIF_RATINGS, { description: 'Default content rating of GIF searches.' }),
  gif_language: oneOf(GIF_LANGUAGES),
  gif_api_key_set: Type.Boolean({ description: 'Whether a key is stored; the key itself is never returned.' }),
})

const switches = Object.fromEntries(FEATURES.map((name) => [name, Type.Optional(FlagInput)])) as Record<
  Feature,
  ReturnType<typeof Type.Optional<typeof FlagInput>>
>
const featureChanges = {
  ...switches,
  gif_enabled: Type.Optional(FlagInput),
  gif_api_key: Type.Optional(
    Type.String({
      maxLength: GIF_KEY_LENGTH,
      pattern: '^[\\x20-\\x7e]*$',
      description: 'The API key of the GIF provider; empty to remove it.',
    }),
  ),
  gif_rating: Type.Optional(oneOf(GIF_RATINGS)),
  gif_language: Type.Optional(oneOf(GIF_LANGUAGES)),
}

const SETTING_TYPES = ['string', 'boolean', 'number', 'object', 'array'] as const

export const Setting = named('Setting', {
  key: Type.String({ examples: ['site_name'] }),
  value: Type.Unsafe<unknown>({ description: 'The value, of the type in `type`.' }),
  type: oneOf(SETTING_TYPES),
  label: Type.String(),
  description: Type.String(),
  group: oneOf(SETTING_GROUP_NAMES),
  problem: nullable(
    Type.String({
      description: 'Why the stored value is not valid under the current rules; the default is used instead. null if it is valid.',
    }),
  ),
})

export const settings = {
  list: route({
    method: 'GET',
    path: '/settings',
    access: 'manage_settings',
    summary: 'List settings',
    query: Type.Object({ group: Type.Optional(oneOf(SETTING_GROUP_NAMES, { description: 'Only settings in this group.' })) }),
    errors: ['rest_forbidden'],
    response: dataOf(SettingsByGroup),
  }),

  get: route({
    method: 'GET',
    path: '/settings/{key}',
    access: 'manage_settings',
    summary: 'Get a setting',
    params: Type.Object({ key: Type.String({ minLength: 1, maxLength: 100 }) }),
    errors: ['rest_forbidden', 'setting_not_found'],
    response: dataOf(Setting),
  }),

  save: route({
    method: 'PUT',
    path: '/settings',
    access: 'manage_settings',
    summary: 'Update settings',
    description:
      'A map of key to value. Either all values are stored or none. Objects are merged with the current value. Feature switches, topics and GIF search require administrator rights.',
    body: Type.Object(settingChanges, { additionalProperties: true }),
    errors: ['rest_forbidden', 'invalid_setting_key', 'invalid_value'],
    response: messageAnd(Type.Object({ updated_count: Count, updated_keys: Type.Array(Type.String()) })),
  }),

  reset: route({
    method: 'POST',
    path: '/settings/reset',
    access: 'manage_settings',
    summary: 'Reset settings',
    body: Type.Object({
      keys: Type.Optional(
        explicit(
          Type.Array(Type.String({ maxLength: 100 }), {
            maxItems: 200,
            description: 'Keys of the settings to reset to their default; default: all.',
          }),
        ),
      ),
    }),
    errors: ['rest_forbidden', 'invalid_setting_key'],
    response: messageAnd(Type.Object({ reset_count: Count })),
  }),

  features: route({
    method: 'GET',
    path: '/settings/features',
    access: 'admin',
    summary: 'Get feature flags',
    response: Type.Object({ features: FeatureSettings }),
  }),

  saveFeatures: route({
    method: 'POST',
    path: '/settings/features',
    access: 'admin',
    summary: 'Update feature flags',
    description:
      'Only the fields that are sent change; they can also be sent in an object `features`. A disabled feature keeps its data; its operations return 403 `pro_feature_required`, GIF search 403 `gif_disabled` and the leaderboard 404 `leaderboard_disabled`.',
    body: Type.Object({ ...featureChanges, features: Type.Optional(Type.Object(featureChanges)) }),
    response: Type.Object({ ...Message.properties, features: FeatureSettings }),
  }),

  public: route({
    method: 'GET',
    path: '/settings/public',
    access: 'public',
    summary: 'Get public settings',
    response: dataOf(
      Type.Object({
        site_name: Type.String(),
        site_description: Type.String(),
        allow_registration: Type.Boolean(),
        logo_url: Type.String({ description: 'URL of the logo; may be empty.' }),
        primary_color: Type.String({ examples: ['#2563eb'] }),
        features: Features,
        secondary_color: Type.String(),
        favicon_url: Type.String({ description: 'URL of the icon in browser tabs; may be empty.' }),
        timezone: Type.String({ examples: ['Europe/Berlin'] }),
        date_format: Type.String(),
        time_format: Type.String(),
        admin_email: Type.String({ description: 'Contact email address; may be empty.' }),
        require_email_verification: Type.Boolean(),
        approval_required: Type.Boolean(),
        appearance: Type.Object({
          general: Type.Pick(GeneralPage, LOOKS),
          customization: CustomizationPage,
          colors: ColorPage,
          menu: MenuPage,
          auth: AuthPage,
          custom_css: Type.String(),
          welcome_banner: nullable(GuestBanner),
        }),
      }),
    ),
  }),
} as const
