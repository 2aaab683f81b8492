import { api } from '@lyceum/contract'
import type { Module } from '../../platform/module.ts'
import { pageHandlers } from './page-routes.ts'
import { settingsHandlers } from './routes.ts'

export { dayOf, dayStarts, type Span, spanOfDays } from './days.ts'
export { SETTINGS, type SettingKey, type SettingValue } from './definitions.ts'
export { type GifSettings, gifSettings } from './features.ts'
export { isFeatureOn } from './kept-features.ts'
export { limitsReader } from './kept-limits.ts'
export { settingsChanged } from './keyed.ts'
export { linkProviders } from './link-providers.ts'
export { mailIdentity, mailWords } from './mail-identity.ts'
export { type PageName, type PageOf, readPage } from './pages.ts'
export { hasFeature, isSettingKey, readSetting, readSettings, type SettingChanges, saveSettings, settingProblem } from './store.ts'

export const settings: Module = {
  name: 'settings',
  mount: (mount) => {
    mount('settings', api.settings, settingsHandlers)
    mount('settingsPages', api.settingsPages, pageHandlers)
  },
}
