import type { Recording } from './recording.ts'

export const batch: Recording = async (_recorder, { mara }) => {
  await mara.show().batch.run({
    requests: [
      { method: 'GET', path: '/notifications/unread' },
      { method: 'POST', path: '/feeds/markdown-preview', body: { content: 'Tulips **and** daffodils' } },
      { method: 'GET', path: '/feeds/999999/by-id' },
    ],
  })
}
