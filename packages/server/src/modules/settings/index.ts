import { api } from '@lyceum/contract'
import type { Module } from '../../core/module.ts'
import { pageHandlers } from './page-routes.ts'
import { settingsHandlers } from './routes.ts'

export { dayOf, dayStarts, type Span, spanOfDays } from './community-calendar.ts'
export { SETTINGS, type SettingKey, type SettingValue } from './definitions.ts'
export { isFeatureOn } from './feature-flags-cache.ts'
export { type GifSettings, gifSettings } from './features.ts'
export { limitsReader } from './limits-cache.ts'
export { linkProviders } from './link-providers.ts'
export { mailIdentity, mailWords } from './mail-branding.ts'
export { type PageName, type PageOf, readPage } from './page-schemas.ts'
export { hasFeature, isSettingKey, readSetting, readSettings, type SettingChanges, saveSettings, settingProblem } from './repository.ts'
export { settingsChanged } from './settings-by-key.ts'

export const settings: Module = {
  name: 'settings',
  mount: (mount) => {
    mount('settings', api.settings, settingsHandlers)
    mount('settingsPages', api.settingsPages, pageHandlers)
  },
}
