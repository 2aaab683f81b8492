import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { filePart, form, picture } from '#test/media.ts'
import type { Person } from '../kit/people.ts'
import { openLine } from './line.ts'

/** Writes in the order they started and in the order they were acknowledged. */
export interface Written {
  readonly begun: string[]
  readonly acknowledged: string[]
  readonly failed: string[]
  /** Names of uploaded and posted pictures. */
  readonly pictures: string[]
}

export const createWritten = (): Written => ({ begun: [], acknowledged: [], failed: [], pictures: [] })

/** Everyone writes comments, limited to this total rate, until the end. */
export const writeUntil = async (
  base: string,
  people: readonly Person[],
  feed: number,
  written: Written,
  perSecond: number,
  until: () => boolean,
): Promise<void> => {
  const since = performance.now()
  let sent = 0
  const mayGo = async () => {
    for (;;) {
      const allowed = ((performance.now() - since) / 1000) * perSecond
      if (sent < allowed || until()) return
      await pause(Math.max(1, ((sent - allowed) / perSecond) * 1000))
    }
  }
  await Promise.all(
    people.map(async ({ authorization }) => {
      const line = openLine(base, authorization)
      while (!until()) {
        await mayGo()
        sent += 1
        const key = randomUUID()
        const text = `comment ${key}`
        written.begun.push(text)
        const { status, outcome } = await line.send('POST', `/feeds/${feed}/comments`, { body: JSON.stringify({ comment: text }), key })
        if (status === 201) written.acknowledged.push(text)
        else written.failed.push(`${outcome} ${status}`)
      }
      line.close()
    }),
  )
}

/** Uploads and posts a picture. */
export const postPicture = async (base: string, { authorization }: Person, written: Written): Promise<void> => {
  const line = openLine(base, authorization)
  const name = `${randomUUID()}.png`
  const { type, bytes } = form([filePart(await picture('png', 16, 16), 'file', name)])
  const { status, body } = await line.send('POST', '/feeds/media-upload', { type, body: bytes })
  if (status >= 300) throw new Error(`an upload is answered with ${status}`)
  const post = JSON.stringify({ message: `With ${name}`, meta: { media_items: [{ url: body.data.file_url }] } })
  const posted = await line.send('POST', '/feeds', { body: post })
  if (posted.status !== 201) throw new Error(`a post with a picture is answered with ${posted.status} ${JSON.stringify(posted.body)}`)
  written.pictures.push(`With ${name}`)
  line.close()
}
