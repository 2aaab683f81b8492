import type { TSchema } from 'typebox'
import { Anything, Id, named, oneOf } from '../shapes/common.ts'
import { Type } from '../typebox.ts'
import { FEED_ORDERS } from './feeds.ts'

export const SPACE_ROLES = ['member', 'moderator', 'admin'] as const
export type SpaceRole = (typeof SPACE_ROLES)[number]

const Switch = (standard: 'yes' | 'no') => oneOf(['yes', 'no'], { default: standard })
const Allowed = () => Type.Boolean({ default: true })
const text = (maxLength: number) => Type.String({ maxLength, default: '' })
const plainText = (maxLength: number) => Type.String({ maxLength, default: '', description: 'Plain text.' })
const color = () =>
  Type.String({
    pattern: '^(#[0-9A-Fa-f]{3,8}|[A-Za-z]{3,30}|(rgb|hsl)a?\\([0-9., %/]{1,34}\\))?$',
    default: '',
    description: 'A CSS color: a name, #rgb, rgb() or hsl(); may be empty.',
  })
const webAddress = () => Type.String({ maxLength: 2048, default: '', description: 'An http(s) URL; may be empty.' })
const drawing = () => Type.String({ maxLength: 5000, default: '', description: 'An SVG of basic shapes, shown instead of the emoji.' })

// ---- header links of a space -------------------------------------------------------------------------------

const link = {
  title: Type.String({ minLength: 1, maxLength: 200 }),
  permalink: Type.String({ minLength: 1, maxLength: 2048 }),
  enabled: Switch('yes'),
  new_tab: Switch('no'),
  emoji: text(50),
  icon_image: webAddress(),
  shape_svg: drawing(),
  privacy: oneOf(['public', 'logged_in', 'logged_out_only', 'members_only'], { default: 'public' }),
  membership_ids: Type.Array(Id, {
    maxItems: 100,
    default: [],
    description: 'For `members_only`: ids of spaces, membership in any of which is sufficient; empty for this space.',
  }),
}
const { title, permalink, ...linkOptions } = link

export const SpaceLink = named('SpaceLink', { ...link, slug: Type.String() })
const SpaceLinkInput = Type.Object({ title, permalink, ...Type.Partial(Type.Object(linkOptions)).properties })
export const SpaceLinksInput = Type.Array(SpaceLinkInput, { maxItems: 50 })

// ---- lock screen of a private space -------------------------------------------------------------------------

const section = {
  type: oneOf(['image', 'block', 'lesson'], { default: 'block' }),
  name: oneOf(['banner', 'description', 'lesson', 'action'], { default: 'description' }),
  hidden: Type.Boolean({ default: false }),
  label: plainText(200),
  heading: plainText(500),
  heading_color: color(),
  description: plainText(5000),
  text_color: color(),
  button_text: plainText(200),
  button_link: webAddress(),
  button_color: color(),
  button_text_color: color(),
  background_image: webAddress(),
  overlay_color: color(),
  new_tab: Switch('no'),
  content: Type.String({ maxLength: 20_000, default: '', description: 'HTML; it is sanitized.' }),
}

export const LockscreenSection = named('LockscreenSection', section)
export const LockscreenSectionInput = Type.Partial(Type.Object(section))

export const Lockscreen = named('Lockscreen', {
  enabled: Type.Boolean(),
  type: oneOf(['membership', 'payment', 'custom'], { default: 'custom' }),
  conditions: Anything,
  message: plainText(5000),
  button_text: plainText(200),
  button_url: webAddress(),
})

export const LockscreenConfig = named('LockscreenConfig', {
  is_pending: Type.Boolean(),
  showCustom: Type.Boolean(),
  showPaywalls: Type.Boolean(),
  showWelcomeBanner: Type.Boolean(),
  canSendRequest: Type.Boolean(),
  lockScreen: Type.Array(LockscreenSection),
  redirect_url: Type.String(),
})

// ---- settings ----------------------------------------------------------------------------------------------

const settings = {
  restricted_post_only: Switch('no'),
  verified_post_only: Switch('no'),
  emoji: text(50),
  shape_svg: drawing(),
  custom_lock_screen: oneOf(['yes', 'no', 'redirect'], {
    default: 'no',
    description: 'Whether a custom lock screen or a redirect replaces the default one; applies to private spaces only.',
  }),
  onboard_redirect_url: webAddress(),
  can_request_join: Switch('no'),
  layout_style: oneOf(['timeline', 'list'], { default: 'timeline' }),
  disable_layout_style: Switch('no'),
  disable_post_sort_by: Switch('no'),
  show_paywalls: Switch('no'),
  show_sidebar: Switch('yes'),
  og_image: webAddress(),
  links: Type.Array(SpaceLink, { default: [] }),
  topic_required: Switch('no'),
  hide_members_count: Switch('no'),
  members_page_status: oneOf(['members_only', 'everybody', 'logged_in', 'admin_only'], { default: 'members_only' }),
  default_post_sort_by: oneOf(['', ...FEED_ORDERS], { default: '' }),
  default_comment_sort_by: oneOf(['', 'oldest', 'latest', 'popular', 'most_replied'], { default: '' }),
  document_library: Switch('no'),
  media_gallery: Switch('no'),
  document_access: oneOf(['members_only', 'logged_in', 'everybody'], { default: 'members_only' }),
  media_access: oneOf(['members_only', 'logged_in', 'everybody'], { default: 'members_only' }),
  document_upload: oneOf(['admin_only', 'members_only'], { default: 'admin_only' }),
  cart_product_ids: Type.Array(Id, { maxItems: 100, default: [] }),
  allow_posts: Allowed(),
  require_approval: Type.Boolean({ default: false }),
  allow_comments: Allowed(),
  allow_reactions: Allowed(),
  post_permissions: Type.Array(oneOf(SPACE_ROLES), { maxItems: 10, default: [...SPACE_ROLES] }),
}

export const SpaceSettings = named('SpaceSettings', settings)
export const SpaceSettingsInput = Type.Object({
  ...Type.Partial(Type.Object(settings)).properties,
  links: Type.Optional(SpaceLinksInput),
})

// ---- groups ------------------------------------------------------------------------------------------------

const groupSettings = {
  is_collapsible: Type.Boolean({ default: true }),
  default_collapsed: Type.Boolean({ default: false }),
  hide_members: Switch('no'),
  always_show_spaces: Switch('yes'),
}

export const SpaceGroupSettings = named('SpaceGroupSettings', groupSettings)
export const SpaceGroupSettingsInput = Type.Partial(Type.Object(groupSettings))

/** The default of each field of an object. */
export const defaultsOf = (schema: { readonly properties: Readonly<Record<string, TSchema>> }): Record<string, unknown> =>
  Object.fromEntries(Object.entries(schema.properties).map(([name, member]) => [name, (member as { default?: unknown }).default]))
