import { api } from '@lyceum/contract'
import type { Module } from '../../core/module.ts'
import { pageHandlers } from './page-routes.ts'
import { settingsHandlers } from './routes.ts'

export const settings: Module = {
  name: 'settings',
  mount: (mount) => {
    mount('settings', api.settings, settingsHandlers)
    mount('settingsPages', api.settingsPages, pageHandlers)
  },
}
