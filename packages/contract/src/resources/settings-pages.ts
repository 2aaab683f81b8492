import type { Static, TObject } from 'typebox'
import type { ErrorCode } from '../errors.ts'
import { ACCOUNT_ROLES } from '../permissions.ts'
import { type Access, route } from '../route.ts'
import { Message, nullable, oneOf } from '../shapes/common.ts'
import { Type } from '../typebox.ts'
import * as shapes from './settings-page-shapes.ts'

/** Members of an object, all of which may be left out, down to the bottom. */
type Sent<T> = T extends readonly (infer I)[]
  ? readonly Sent<I>[]
  : T extends 'yes' | 'no'
    ? T | boolean | 0 | 1
    : T extends object
      ? { readonly [K in keyof T]?: Sent<T[K]> }
      : T

interface PageOptions<W extends string> {
  /** The member that holds the page in bodies and answers. */
  readonly wrapper: W
  readonly access?: Access
  readonly description?: string
  readonly errors?: readonly ErrorCode[]
}

type Wrapped<S extends TObject, W extends string> = TObject<Record<W, S>>

/** The two operations of one page of settings. What is not sent stays as it is; lists are replaced as a whole. */
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
    summary: about,
    errors: ['rest_forbidden'],
    response: Type.Object(wrapped) as unknown as Wrapped<S, W>,
  })
  const save = route({
    method: 'POST',
    path,
    access,
    summary: `Change: ${about.charAt(0).toLowerCase()}${about.slice(1)}`,
    description: `${description ? `${description} ` : ''}What is not sent stays as it is. The members may come in an object \`${wrapper}\`.`,
    body,
    errors: ['rest_forbidden', 'invalid_url', ...errors],
    response: Type.Object({ ...Message.properties, ...wrapped }),
  })
  return { read, save }
}

const settings = { wrapper: 'settings' } as const
const general = page('/admin/general', 'Name, logo and entrance of the community', shapes.GeneralPage, settings)
const email = page('/admin/email-settings', 'Who sends mail, and which mail there is', shapes.EmailPage, { wrapper: 'email_settings' })
const mailTexts = page('/admin/email-texts', 'Words of the mails that the server sends', shapes.MailTextsPage, {
  wrapper: 'texts',
  description: 'Plain text; {community}, {name} and {username} are filled in. Empty: the words that come with the server.',
})
const banner = page('/admin/welcome-banner', 'What members and guests are greeted with', shapes.WelcomeBannerPage, settings)
const auth = page('/admin/auth-settings', 'Words and colours where people sign in and up', shapes.AuthPage, settings)
const menu = page('/settings/menu-settings', 'Entries of the menus', shapes.MenuPage, { wrapper: 'menuSettings' })
const customization = page('/settings/customization-settings', 'How the web app is laid out', shapes.CustomizationPage, settings)
const colors = page('/settings/color-config', 'Colours of the web app', shapes.ColorPage, settings)
const privacy = page('/settings/privacy-settings', 'What members may change and see of each other', shapes.PrivacyPage, settings)
const snippets = page('/settings/snippets-settings', 'Style sheet of the web app', shapes.SnippetsPage, {
  wrapper: 'snippets',
  description: 'Scripts are not taken: pages run none but their own.',
})
const followers = page('/settings/followers/config', 'Whether members follow each other', shapes.FollowersPage, {
  ...settings,
  access: 'admin',
})

const LinkProviders = Type.Object({
  providers: Type.Object(
    Object.fromEntries(
      shapes.LINK_PROVIDERS.map((name) => [
        name,
        Type.Object({ title: Type.String(), placeholder: Type.String(), domain: Type.String(), enabled: Type.Boolean() }),
      ]),
    ),
  ),
})

export const WelcomeBanner = Type.Object(
  { ...shapes.WelcomeBannerPage.properties.login.properties, description_rendered: Type.String({ description: 'Safe HTML' }) },
  { title: 'WelcomeBanner' },
)

export const settingsPages = {
  general: route({
    ...general.read,
    response: Type.Object({
      settings: shapes.GeneralPage,
      user_roles: Type.Array(oneOf(ACCOUNT_ROLES)),
      users_can_register: Type.Boolean({ description: 'The setting allow_registration' }),
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
    summary: 'Which sites a profile may link to',
    errors: ['rest_forbidden'],
    response: LinkProviders,
  }),
  saveLinkProviders: route({
    method: 'POST',
    path: '/admin/profile-link-providers',
    access: 'manage_settings',
    summary: 'Choose the sites that a profile may link to',
    description: 'What profiles link to already stays.',
    body: Type.Object({
      configs: Type.Array(oneOf(shapes.LINK_PROVIDERS), { maxItems: 50, description: 'Those that are offered; the others are not' }),
    }),
    errors: ['rest_forbidden'],
    response: Type.Object({ ...Message.properties, ...LinkProviders.properties }),
  }),

  storage: route({
    method: 'GET',
    path: '/admin/storage-settings',
    access: 'admin',
    summary: 'Where uploaded files lie',
    response: Type.Object({ config: shapes.StorageConfig }),
  }),
  testStorage: route({
    method: 'POST',
    path: '/admin/storage-settings',
    access: 'admin',
    summary: 'Try whether files can be stored',
    description:
      'Where files lie is decided by whoever runs the server (LYCEUM_S3_URL and its neighbours), and not from here: another driver, bucket or key is refused with 400 `invalid_data`. Otherwise a file is written, read and removed; 503 `service_unavailable` when that fails.',
    write: false,
    body: Type.Object({ config: Type.Optional(Type.Partial(shapes.StorageConfig)) }),
    errors: ['storage_full'],
    response: Type.Object({ ...Message.properties, config: shapes.StorageConfig }),
  }),

  welcomeBanner: route({
    method: 'GET',
    path: '/feeds/welcome-banner',
    access: 'member',
    summary: 'What members are greeted with; null: nothing',
    response: Type.Object({ welcome_banner: nullable(WelcomeBanner) }),
  }),
} as const
