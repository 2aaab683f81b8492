import { randomBytes } from 'node:crypto'
import type { MediaSource } from '@lyceum/contract'
import type { WriteRequest } from '../../core/context.ts'
import { type MediaRow, statementIn } from '../../db/index.ts'
import { keysIn } from './attachments.ts'
import { insertMedia } from './repository.ts'

const activeByKeys = statementIn<MediaRow>((list) => `select * from media where status = 'active' and key in (${list})`)

type Fields = Readonly<Record<string, string>>

export interface FileCopies {
  /** Replaces the URLs of copied files in these texts; other URLs are left alone. */
  rewrite<T extends Fields>(fields: T): Promise<T>
  /**
   * Registers that the texts rewritten last belong to the copy of this object. A file is attached to the copy of its original's object, or
   * otherwise to the first copy that references it.
   */
  made(source: MediaSource, originalId: number, copyId: number): void
  /** Stores the copies, once all objects that reference them are created. */
  store(): Promise<void>
}

/**
 * Copies the files that an object references. `isHeld` decides which belong to the duplicated object: only these become readable to the
 * caller through the copy, and nothing else is published. Each copy is a row owned by the caller, with its own URL and access; the stored
 * bytes are shared and deleted with the last row.
 */
export const copyFiles = (
  { db, actor, now }: Pick<WriteRequest, 'db' | 'actor' | 'now'>,
  isHeld: (source: MediaSource, objectId: number) => boolean,
): FileCopies => {
  const copies = new Map<string, { readonly original: MediaRow; readonly key: string; holder?: readonly [MediaSource, number] }>()
  const places = new Map<string, number>()

  const find = async (keys: readonly string[]) => {
    const wanted = keys.filter((key) => !copies.has(key))
    for (const original of await activeByKeys(db, wanted)) {
      const { key, object_source, object_id } = original
      if (object_id !== null && isHeld(object_source, object_id)) copies.set(key, { original, key: randomBytes(16).toString('hex') })
    }
  }

  return {
    rewrite: async (fields) => {
      const keys = keysIn(Object.values(fields))
      await find(keys)
      const known = keys.flatMap((key) => copies.get(key) ?? [])
      const rewritten = (text: string) =>
        known.reduce((so, { original, key }) => so.replaceAll(`/media/${original.key}/`, `/media/${key}/`), text)
      return Object.fromEntries(Object.entries(fields).map(([name, text]) => [name, rewritten(text)])) as typeof fields
    },
    made: (source, originalId, copyId) => {
      places.set(`${source} ${originalId}`, copyId)
      for (const copy of copies.values()) copy.holder ??= [source, copyId]
    },
    store: async () => {
      for (const { original, key, holder } of copies.values()) {
        const own = places.get(`${original.object_source} ${original.object_id}`)
        const [source, id] = own === undefined ? (holder ?? []) : [original.object_source, own]
        if (source === undefined || id === undefined) throw new Error(`nothing holds the copy of file ${original.id}`)
        await insertMedia(db, { ...original, key, user_id: actor.id, object_source: source, object_id: id }, now, 'active')
      }
    },
  }
}
