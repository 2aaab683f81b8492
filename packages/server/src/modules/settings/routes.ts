import { api } from '@lyceum/contract'
import type { Db } from '../../db/index.ts'
import type { Handlers } from '../../http/pipeline/route-handlers.ts'
import { saveFeatures, viewFeatures } from './features.ts'
import { viewBanner } from './page-routes.ts'
import { readPage } from './page-schemas.ts'
import { isSettingKey, readSetting, readSettings } from './repository.ts'
import { keyedHandlers } from './settings-by-key.ts'

const PUBLIC = Object.keys(api.settings.public.response.properties.data.properties).filter(isSettingKey)

/** Settings needed before sign-in. */
const readAppearance = async (db: Db) => {
  const [general, customization, colors, menu, auth, banner, custom_css] = await Promise.all([
    readPage(db, 'general'),
    readPage(db, 'customization'),
    readPage(db, 'colors'),
    readPage(db, 'menu'),
    readPage(db, 'auth'),
    readPage(db, 'banner'),
    readSetting(db, 'custom_css'),
  ])
  return { general, customization, colors, menu, auth, custom_css, welcome_banner: viewBanner(banner.logout) }
}

export const settingsHandlers: Handlers<typeof api.settings> = {
  ...keyedHandlers,

  features: async ({ db, services }) => ({ features: await viewFeatures(db, services) }),

  saveFeatures: async (ctx, { body }) => {
    await saveFeatures(ctx, body)
    return { message: 'The settings were saved.', features: await viewFeatures(ctx.db, ctx.services) }
  },

  public: async ({ db }) => {
    const [settings, appearance] = await Promise.all([readSettings(db, PUBLIC), readAppearance(db)])
    return { data: { ...settings, appearance } }
  },
}
