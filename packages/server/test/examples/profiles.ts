import type { Scene } from './scene.ts'

export const profiles: Scene = async (_stage, { ben }) => {
  await ben.show().profiles.get({ username: 'mara' })
  await ben.show('One’s own').profiles.get({ username: 'me' })
}
