import type { Static, TObject } from 'typebox'
import type { ErrorCode } from '../errors.ts'
import { ACCOUNT_ROLES } from '../permissions.ts'
import { type Access, route } from '../route.ts'
import { Message, named, nullable, oneOf } from '../shapes/common.ts'
import { Type } from '../typebox.ts'
import * as shapes from './settings-page-shapes.ts'

/** The object with all fields optional at all levels. */
type Sent<T> = T extends readonly (infer I)[]
  ? readonly Sent<I>[]
  : T extends 'yes' | 'no'
    ? T | boolean | 0 | 1
    : T extends object
      ? { readonly [K in keyof T]?: Sent<T[K]> }
      : T

interface PageOptions<W extends string> {
  /** Name of the object that contains the settings in requests and responses. */
  readonly wrapper: W
  readonly access?: Access
  readonly description?: string
  readonly errors?: readonly ErrorCode[]
}

type Wrapped<S extends TObject, W extends string> = TObject<Record<W, S>>

/** The two operations of a settings page. Only fields that are sent change; lists are replaced. */
const page = <S extends TObject, const W extends string>(path: string, about: string, shape: S, options: PageOptions<W>) => {
  const { wrapper, access = 'manage_settings', description, errors = [] } = options
  const input = shapes.inputOf(shape)
  const wrapped = { [wrapper]: shape } as Record<W, S>
  const { properties } = input
  const body = Type.Object(
    Object.fromEntries([
      ...Object.entries(properties).map(([name, node]) => [name, Type.Optional(node)] as const),
      [wrapper, Type.Optional(input)] as const,
    ]),
  ) as unknown as TObject & { static: Sent<Static<S>> & { readonly [K in W]?: Sent<Static<S>> } }
  const read = route({
    method: 'GET',
    path,
    access,
    summary: `Get the ${about}`,
    errors: ['rest_forbidden'],
    response: Type.Object(wrapped) as unknown as Wrapped<S, W>,
  })
  const save = route({
    method: 'POST',
    path,
    access,
    summary: `Update the ${about}`,
    description: `${description ? `${description} ` : ''}Only the fields that are sent change; lists are replaced. The fields can also be sent in an object \`${wrapper}\`.`,
    body,
    errors: ['rest_forbidden', 'invalid_url', ...errors],
    response: Type.Object({ ...Message.properties, ...wrapped }),
  })
  return { read, save }
}

const settings = { wrapper: 'settings' } as const
const general = page('/admin/general', 'general settings', shapes.GeneralPage, settings)
const email = page('/admin/email-settings', 'email settings', shapes.EmailPage, { wrapper: 'email_settings' })
const mailTexts = page('/admin/email-texts', 'email texts', shapes.MailTextsPage, {
  wrapper: 'texts',
  description: 'Texts are plain text with the placeholders {community}, {name} and {username}. An empty text selects the default.',
})
const banner = page('/admin/welcome-banner', 'welcome banner settings', shapes.WelcomeBannerPage, settings)
const auth = page('/admin/auth-settings', 'sign-in and sign-up page settings', shapes.AuthPage, settings)
const menu = page('/settings/menu-settings', 'menu settings', shapes.MenuPage, { wrapper: 'menuSettings' })
const customization = page('/settings/customization-settings', 'layout settings', shapes.CustomizationPage, settings)
const colors = page('/settings/color-config', 'color settings', shapes.ColorPage, settings)
const privacy = page('/settings/privacy-settings', 'privacy settings', shapes.PrivacyPage, settings)
const snippets = page('/settings/snippets-settings', 'custom CSS', shapes.SnippetsPage, {
  wrapper: 'snippets',
  description: 'Scripts are not allowed.',
})
const followers = page('/settings/followers/config', 'follower settings', shapes.FollowersPage, {
  ...settings,
  access: 'admin',
})

const LinkProvider = named('LinkProvider', {
  title: Type.String(),
  placeholder: Type.String(),
  domain: Type.String(),
  enabled: Type.Boolean(),
})
const LinkProviders = Type.Object({
  providers: Type.Object(Object.fromEntries(shapes.LINK_PROVIDERS.map((name) => [name, LinkProvider]))),
})

export const WelcomeBanner = Type.Object(
  {
    ...shapes.WelcomeBannerPage.properties.login.properties,
    description_rendered: Type.String({ description: 'The text as sanitized HTML.' }),
  },
  { title: 'WelcomeBanner' },
)

export const settingsPages = {
  general: route({
    ...general.read,
    response: Type.Object({
      settings: shapes.GeneralPage,
      user_roles: Type.Array(oneOf(ACCOUNT_ROLES)),
      users_can_register: Type.Boolean({ description: 'Whether registration is open (the setting `allow_registration`).' }),
    }),
  }),
  saveGeneral: general.save,
  email: email.read,
  saveEmail: email.save,
  mailTexts: mailTexts.read,
  saveMailTexts: mailTexts.save,
  banner: banner.read,
  saveBanner: banner.save,
  auth: auth.read,
  saveAuth: auth.save,
  menu: menu.read,
  saveMenu: menu.save,
  customization: customization.read,
  saveCustomization: customization.save,
  colors: colors.read,
  saveColors: colors.save,
  privacy: privacy.read,
  savePrivacy: privacy.save,
  snippets: snippets.read,
  saveSnippets: snippets.save,
  followers: followers.read,
  saveFollowers: followers.save,

  linkProviders: route({
    method: 'GET',
    path: '/admin/profile-link-providers',
    access: 'manage_settings',
    summary: 'List profile link providers',
    errors: ['rest_forbidden'],
    response: LinkProviders,
  }),
  saveLinkProviders: route({
    method: 'POST',
    path: '/admin/profile-link-providers',
    access: 'manage_settings',
    summary: 'Update profile link providers',
    description: 'Existing links on profiles stay.',
    body: Type.Object({
      configs: Type.Array(oneOf(shapes.LINK_PROVIDERS), { maxItems: 50, description: 'The providers to offer; all others are disabled.' }),
    }),
    errors: ['rest_forbidden'],
    response: Type.Object({ ...Message.properties, ...LinkProviders.properties }),
  }),

  storage: route({
    method: 'GET',
    path: '/admin/storage-settings',
    access: 'admin',
    summary: 'Get the storage settings',
    response: Type.Object({ config: shapes.StorageConfig }),
  }),
  testStorage: route({
    method: 'POST',
    path: '/admin/storage-settings',
    access: 'admin',
    summary: 'Test the file storage',
    description:
      'The storage is configured on the server (`LYCEUM_S3_URL` and related variables) and cannot be changed here: another driver, bucket or key is rejected with 400 `invalid_data`. Otherwise a test file is written, read and removed; if that fails, the response is 503 `service_unavailable`.',
    write: false,
    body: Type.Object({ config: Type.Optional(Type.Partial(shapes.StorageConfig)) }),
    errors: ['storage_full'],
    response: Type.Object({ ...Message.properties, config: shapes.StorageConfig }),
  }),

  welcomeBanner: route({
    method: 'GET',
    path: '/feeds/welcome-banner',
    access: 'member',
    summary: 'Get the welcome banner',
    response: Type.Object({ welcome_banner: nullable(WelcomeBanner) }),
  }),
} as const
