import type { Scene } from './scene.ts'

export const activities: Scene = async (_stage, { mara }) => {
  await mara.show().activities.ticker()
}
