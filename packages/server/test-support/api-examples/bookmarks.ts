import type { Scene } from './scene.ts'

export const bookmarks: Scene = async (_stage, { yuki }) => {
  await yuki.show().bookmarks.list()
}
