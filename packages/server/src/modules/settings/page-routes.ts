import { render } from '@lyceum/content'
import { ACCOUNT_ROLES, api, type Infer, type PrivacyPage } from '@lyceum/contract'
import type { ReadRequest, WriteRequest } from '../../core/context.ts'
import { type Handlers, prepared } from '../../http/pipeline/route-handlers.ts'
import { saveFeatures } from './features.ts'
import { saveLinkProviders, viewLinkProviders } from './link-providers.ts'
import { type PageName, type PageOf, readPage, savePage } from './page-schemas.ts'
import { hasFeature, readSetting } from './repository.ts'
import { requireSettings } from './settings-by-key.ts'
import { checkUnchanged, storageConfig, testStorage } from './storage-settings.ts'

export type Privacy = Infer<typeof PrivacyPage>
type Values = Readonly<Record<string, unknown>>

/** The fields of a body, given directly or under the page's key; the former take precedence. */
const given = (wrapper: string, body: Values): Values => {
  const { [wrapper]: nested, ...flat } = body
  return { ...(nested as Values | undefined), ...flat }
}

const reader =
  <N extends PageName, const W extends string>(name: N, wrapper: W) =>
  async ({ db, actor }: ReadRequest): Promise<Record<W, PageOf<N>>> => {
    requireSettings(actor)
    return { [wrapper]: await readPage(db, name) } as Record<W, PageOf<N>>
  }

const writer =
  <N extends PageName, const W extends string>(name: N, wrapper: W) =>
  async (ctx: WriteRequest, { body }: { readonly body: object }): Promise<Record<W, PageOf<N>> & { message: string }> => {
    requireSettings(ctx.actor)
    await savePage(ctx, name, given(wrapper, body as Values))
    return { message: 'The settings were saved.', [wrapper]: await readPage(ctx.db, name) } as Record<W, PageOf<N>> & { message: string }
  }

const yesNo = (on: boolean) => (on ? ('yes' as const) : ('no' as const))

/** The welcome banner with rendered text; null if it is disabled. */
export const viewBanner = <A extends { readonly enabled: 'yes' | 'no'; readonly description: string }>(audience: A) =>
  audience.enabled === 'yes' ? { ...audience, description_rendered: render(audience.description, 'markdown') } : null

export const pageHandlers: Handlers<typeof api.settingsPages> = {
  general: async (ctx) => ({
    ...(await reader('general', 'settings')(ctx)),
    user_roles: [...ACCOUNT_ROLES],
    users_can_register: await readSetting(ctx.db, 'allow_registration'),
  }),
  saveGeneral: writer('general', 'settings'),
  email: reader('email', 'email_settings'),
  saveEmail: writer('email', 'email_settings'),
  mailTexts: reader('mailTexts', 'texts'),
  saveMailTexts: writer('mailTexts', 'texts'),
  banner: reader('banner', 'settings'),
  saveBanner: writer('banner', 'settings'),
  auth: reader('auth', 'settings'),
  saveAuth: writer('auth', 'settings'),
  menu: reader('menu', 'menuSettings'),
  saveMenu: writer('menu', 'menuSettings'),
  customization: reader('customization', 'settings'),
  saveCustomization: writer('customization', 'settings'),
  colors: reader('colors', 'settings'),
  saveColors: writer('colors', 'settings'),
  privacy: reader('privacy', 'settings'),
  savePrivacy: writer('privacy', 'settings'),
  snippets: reader('snippets', 'snippets'),
  saveSnippets: writer('snippets', 'snippets'),

  followers: async ({ db }) => ({ settings: { is_enabled: yesNo(await hasFeature(db, 'followers')) } }),
  saveFollowers: async (ctx, { body }) => {
    const { is_enabled: wanted } = given('settings', body as Values)
    if (wanted !== undefined) await saveFeatures(ctx, { followers: wanted === 'yes' || wanted === true || wanted === 1 })
    return { message: 'The settings were saved.', settings: { is_enabled: yesNo(await hasFeature(ctx.db, 'followers')) } }
  },

  linkProviders: async ({ db, actor }) => {
    requireSettings(actor)
    return { providers: await viewLinkProviders(db) }
  },
  saveLinkProviders: async (ctx, { body }) => {
    requireSettings(ctx.actor)
    await saveLinkProviders(ctx, body.configs)
    return { message: 'The settings were saved.', providers: await viewLinkProviders(ctx.db) }
  },

  storage: async ({ services }) => ({ config: storageConfig(services) }),
  testStorage: prepared(
    api.settingsPages.testStorage,
    async ({ services }, { body }) => {
      checkUnchanged(services, body.config)
      await testStorage(services)
    },
    async ({ services }) => ({ message: 'The file storage works.', config: storageConfig(services) }),
  ),

  welcomeBanner: async ({ db }) => ({ welcome_banner: viewBanner((await readPage(db, 'banner')).login) }),
}
