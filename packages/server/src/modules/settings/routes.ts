import type { api } from '@lyceum/contract'
import type { Handlers } from '../../platform/http/handlers.ts'
import { readSettings } from './store.ts'

const PUBLIC = ['site_name', 'site_description', 'allow_registration', 'logo_url', 'primary_color', 'features'] as const

export const settingsHandlers: Handlers<typeof api.settings> = {
  public: async ({ db }) => ({ data: await readSettings(db, PUBLIC) }),
}
