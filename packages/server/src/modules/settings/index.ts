import { api } from '@lyceum/contract'
import type { Module } from '../../platform/module.ts'
import { settingsHandlers } from './routes.ts'

export { type Span, spanOfDays } from './days.ts'
export { GROUPS, SETTINGS, type SettingGroup, type SettingKey, type SettingValue } from './definitions.ts'
export { mailIdentity } from './mail-identity.ts'
export { hasFeature, isSettingKey, readSetting, readSettings, type SettingChanges, saveSettings, settingProblem } from './store.ts'

export const settings: Module = { name: 'settings', mount: (mount) => mount('settings', api.settings, settingsHandlers) }
