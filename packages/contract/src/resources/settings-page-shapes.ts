import type { TObject, TSchema } from 'typebox'
import { named, oneOf } from '../shapes/common.ts'
import { MORE_SITES } from '../shapes/xprofile.ts'
import { Type } from '../typebox.ts'
import { FEED_ORDERS } from './feeds.ts'

/** `yes` or `no`; requests can also use booleans, 1 and 0. */
const Switch = (standard: 'yes' | 'no') => oneOf(['yes', 'no'], { default: standard })
const text = (maxLength: number, standard = '') => Type.String({ maxLength, default: standard })
/** An http(s) URL, a path on this site, or empty; validated by the server. */
const address = () =>
  Type.String({ maxLength: 2048, default: '', description: 'An http(s) URL or a path on this site; may be empty.', 'x-address': true })
const email = () => Type.String({ maxLength: 254, default: '', description: 'An email address; may be empty.', 'x-email': true })
const color = (standard = '') =>
  Type.String({
    pattern: '^(#[0-9a-fA-F]{6})?$',
    default: standard,
    description: standard ? 'A color as #rrggbb.' : 'A color as #rrggbb; may be empty.',
  })
const items = <S extends TSchema>(item: S, maxItems: number) => Type.Array(item, { maxItems, default: [] })

// ---- the community ------------------------------------------------------------------------------------------

export const GeneralPage = named('GeneralPage', {
  site_title: Type.String({
    minLength: 1,
    maxLength: 100,
    pattern: '\\S',
    default: 'Lyceum',
    description: 'Name of the community (the setting `site_name`).',
  }),
  site_description: text(1000),
  logo: Type.String({ ...address(), description: 'URL of the logo (the setting `logo_url`).' }),
  white_logo: address(),
  favicon: Type.String({ ...address(), description: 'URL of the icon in browser tabs (the setting `favicon_url`).' }),
  featured_image: address(),
  logo_permalink_type: oneOf(['default', 'custom'], { default: 'default' }),
  logo_permalink: address(),
  disable_global_posts: { ...Switch('no'), description: 'Whether members can post only in spaces.' },
  auth_redirect: { ...address(), description: 'Where the browser goes after sign-in.' },
  use_custom_signup_page: Switch('no'),
  custom_signup_url: address(),
})

export const EmailPage = named('EmailPage', {
  send_from_name: Type.String({ maxLength: 100, default: '', description: 'Name of the sender (the setting `from_name`).' }),
  send_from_email: Type.String({ ...email(), description: 'Email address of the sender (the setting `from_email`).' }),
  reply_to_name: text(100),
  reply_to_email: { ...email(), description: 'Email address for replies; if empty, the setting `admin_email` is used.' },
  email_footer: { ...text(1000), description: 'Plain text at the bottom of every email.' },
  com_my_post_mail: { ...Switch('yes'), description: 'Whether members receive emails about comments by default.' },
  mention_mail: { ...Switch('yes'), description: 'Whether members receive emails about mentions by default.' },
  digest_frequency: oneOf(['daily', 'weekly', 'never'], {
    default: 'weekly',
    description: 'Default frequency of digests (the setting `digest_frequency`).',
  }),
  digest_mail_day: oneOf(['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'], { default: 'mon', description: 'Weekday of weekly digests.' }),
  daily_digest_time: Type.String({
    pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$',
    default: '08:00',
    description: 'Time of day of digests as HH:MM, in the time zone of the community.',
  }),
})

/** Emails with configurable texts. */
export const MAIL_TEXTS = ['welcome', 'verify_email', 'reset_password', 'password_changed', 'email_changed', 'rejected'] as const
const mailText = Type.Object({
  subject: text(200),
  intro: text(2000),
})
export const MailTextsPage = named(
  'MailTextsPage',
  Object.fromEntries(MAIL_TEXTS.map((mail) => [mail, mailText])) as Record<(typeof MAIL_TEXTS)[number], typeof mailText>,
)

// ---- banners and sign-in ------------------------------------------------------------------------------------

const banner = (own: Record<string, TSchema>) => ({
  enabled: Switch('no'),
  description: { ...text(20_000), description: 'Text of the banner, as Markdown.' },
  mediaType: oneOf(['image', 'video'], { default: 'image' }),
  bannerImage: address(),
  bannerVideo: address(),
  ctaButtons: items(
    Type.Object({
      label: text(100),
      link: address(),
      type: oneOf(['primary', 'secondary', 'link'], { default: 'primary' }),
      newTab: Switch('no'),
    }),
    5,
  ),
  ...own,
})
const loginBanner = { allowClose: Switch('no') }
const logoutBanner = { useCustomUrl: Switch('no'), customUrl: address() }
export const WelcomeBannerPage = named('WelcomeBannerPage', {
  login: Type.Object(banner(loginBanner) as ReturnType<typeof banner> & typeof loginBanner),
  logout: Type.Object(banner(logoutBanner) as ReturnType<typeof banner> & typeof logoutBanner),
})

const authSide = {
  banner: Type.Object({
    hidden: Switch('no'),
    title: text(200),
    description: text(2000),
    logo: address(),
    title_color: color(),
    text_color: color(),
    background_color: color(),
    background_image: address(),
  }),
  form: Type.Object({
    title: text(200),
    description: text(2000),
    title_color: color(),
    text_color: color(),
    background_color: color(),
    background_image: address(),
    button_label: text(100),
    button_color: color(),
    button_label_color: color(),
  }),
}
export const AuthPage = named('AuthPage', {
  login: Type.Object(authSide),
  signup: Type.Object({
    ...authSide,
    terms: Type.Object({ enabled: Switch('no'), label: text(500), url: address() }),
  }),
})

// ---- layout ---------------------------------------------------------------------------------------------------

const menuItem = Type.Object({
  slug: Type.String({ maxLength: 100, default: '', pattern: '^[a-z0-9_-]*$' }),
  title: text(100),
  permalink: address(),
  icon: { ...text(100), description: 'Icon of the entry, such as an emoji.' },
  enabled: Switch('yes'),
  new_tab: Switch('no'),
  is_system: Switch('no'),
})
export const MenuPage = named('MenuPage', {
  mainMenuItems: items(menuItem, 50),
  profileDropdownItems: items(menuItem, 50),
  beforeCommunityMenuItems: items(menuItem, 50),
  afterCommunityLinkGroups: items(
    Type.Object({
      title: text(100),
      slug: Type.String({ maxLength: 100, default: '', pattern: '^[a-z0-9_-]*$' }),
      items: items(menuItem, 50),
    }),
    20,
  ),
})

export const CustomizationPage = named('CustomizationPage', {
  dark_mode: Switch('yes'),
  default_theme_mode: oneOf(['light', 'dark', 'system'], { default: 'system' }),
  fixed_page_header: Switch('yes'),
  hide_header_on_scroll: Switch('no'),
  show_powered_by: Switch('yes'),
  feed_link_on_sidebar: Switch('yes'),
  show_post_modal: Switch('yes'),
  fixed_sidebar: Switch('no'),
  collapse_sidebar_groups: Switch('no'),
  enable_sidebar_toggle: Switch('no'),
  icon_on_header_menu: Switch('no'),
  rich_post_layout: oneOf(['classic'], { default: 'classic' }),
  member_list_layout: oneOf(['classic', 'grid'], { default: 'classic' }),
  default_feed_layout: oneOf(['timeline', 'list'], { default: 'timeline' }),
  disable_feed_layout: Switch('no'),
  default_feed_sort_by: oneOf(['', ...FEED_ORDERS], { default: '' }),
  disable_feed_sort_by: Switch('no'),
})

const colors = () =>
  Type.Unsafe<Record<string, string>>({
    type: 'object',
    additionalProperties: { type: 'string', pattern: '^#[0-9a-fA-F]{6}([0-9a-fA-F]{2})?$' },
    propertyNames: { pattern: '^[a-z][a-z0-9_-]{0,49}$' },
    maxProperties: 60,
    default: {},
    description: 'Map of color name to color, as #rrggbb or #rrggbbaa.',
  })
const schema = () => Type.String({ maxLength: 50, pattern: '^[a-z0-9_-]*$', default: 'default' })
export const ColorPage = named('ColorPage', {
  light_schema: schema(),
  dark_schema: schema(),
  light_config: colors(),
  dark_config: colors(),
})

export const SnippetsPage = named('SnippetsPage', {
  custom_css: { ...text(50_000), description: 'Additional CSS of the web app (the setting `custom_css`).' },
})

// ---- members --------------------------------------------------------------------------------------------------

const Seen = (description: string) => oneOf(['everybody', 'logged_in', 'admin_only'], { default: 'everybody', description })
export const PrivacyPage = named('PrivacyPage', {
  can_customize_username: { ...Switch('no'), description: 'Whether members can change their username.' },
  can_change_email: { ...Switch('yes'), description: 'Whether members can change their email address.' },
  can_change_password: { ...Switch('yes'), description: 'Whether members can change their password.' },
  show_last_activity: { ...Switch('yes'), description: 'Whether members see when others were last active.' },
  members_page_status: Seen('Who can list the members.'),
  profile_page_visibility: Seen('Who can read profiles; moderators always can.'),
  user_space_visibility: Seen('Who can see the spaces of a member.'),
  leaderboard_members_visibility: Seen('Who can see the leaderboard.'),
})

export const FollowersPage = named('FollowersPage', {
  is_enabled: { ...Switch('yes'), description: 'Whether members can follow each other (the feature `followers`).' },
})

const STORAGE_DRIVERS = ['local', 's3'] as const
export const StorageConfig = named('StorageConfig', {
  driver: oneOf(STORAGE_DRIVERS),
  bucket: Type.String(),
  endpoint_url: Type.String(),
  region: Type.String(),
  access_key: Type.String({ description: 'The access key, masked.' }),
  secret_key: Type.String({ description: 'The secret key, masked.' }),
})

/** Social networks for profiles; the first five are the default. */
export const USUAL_PROVIDERS = ['instagram', 'twitter', 'youtube', 'linkedin', 'fb'] as const
export const LINK_PROVIDERS = [...USUAL_PROVIDERS, ...MORE_SITES] as const
export type LinkProvider = (typeof LINK_PROVIDERS)[number]

/** Beginnings of the addresses of people on other sites; the name of the person follows. */
export const PROFILE_ADDRESSES: Readonly<Record<string, string>> = {
  twitter: 'https://x.com/',
  youtube: 'https://www.youtube.com/@',
  linkedin: 'https://www.linkedin.com/in/',
  fb: 'https://www.facebook.com/',
  instagram: 'https://www.instagram.com/',
  blue_sky: 'https://bsky.app/profile/',
  tiktok: 'https://www.tiktok.com/@',
  pinterest: 'https://www.pinterest.com/',
  telegram: 'https://t.me/',
  snapchat: 'https://www.snapchat.com/add/',
  reddit: 'https://www.reddit.com/user/',
  twitch: 'https://www.twitch.tv/',
  vk: 'https://vk.com/',
  github: 'https://github.com/',
}

type Node = { readonly [key: string]: unknown }
/** The schema for requests: all fields are optional, and yes/no fields accept booleans. */
export const inputOf = <O extends TObject>(shape: O): TObject => {
  const input = (node: Node): Node => {
    const { default: _standard, title: _title, required: _required, ...rest } = node
    const values = rest['enum'] as readonly unknown[] | undefined
    if (values?.length === 2 && values.includes('yes') && values.includes('no'))
      return { ...rest, type: ['string', 'boolean', 'integer'], enum: ['yes', 'no', true, false, 1, 0] }
    if (rest['type'] === 'array') return { ...rest, items: input(rest['items'] as Node) }
    if (rest['type'] !== 'object' || !rest['properties']) return rest
    return { ...rest, properties: Object.fromEntries(Object.entries(rest['properties'] as Node).map(([k, v]) => [k, input(v as Node)])) }
  }
  return Type.Unsafe(input(shape as unknown as Node)) as unknown as TObject
}
