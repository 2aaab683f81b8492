import type { Scene } from './scene.ts'

export const settings: Scene = async (stage) => {
  await stage.anonymous.show().settings.public()
}
