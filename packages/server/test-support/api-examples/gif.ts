import type { Recording } from './recording.ts'

export const gif: Recording = async (_recorder, { ines, ben }) => {
  await ines.api.settings.saveFeatures({ gif_enabled: true, gif_api_key: 'a key of the provider' })
  await ben.show().gif.search({ q: 'tulip', limit: 2 })
}
