import type { Scene } from './scene.ts'

export const batch: Scene = async (_stage, { mara }) => {
  await mara.show().batch.run({
    requests: [
      { method: 'GET', path: '/notifications/unread' },
      { method: 'POST', path: '/feeds/markdown-preview', body: { content: 'Tulips **and** daffodils' } },
      { method: 'GET', path: '/feeds/999999/by-id' },
    ],
  })
}
