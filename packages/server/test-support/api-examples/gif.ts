import type { Scene } from './scene.ts'

export const gif: Scene = async (_stage, { ines, ben }) => {
  await ines.api.settings.saveFeatures({ gif_enabled: true, gif_api_key: 'a key of the provider' })
  await ben.show().gif.search({ q: 'tulip', limit: 2 })
}
