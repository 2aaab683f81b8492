import type { Recording } from './recording.ts'

export const bookmarks: Recording = async (_recorder, { yuki }) => {
  await yuki.show().bookmarks.list()
}
