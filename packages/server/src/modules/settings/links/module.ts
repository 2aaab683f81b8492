import { isHttpUrl } from '@lyceum/content'
import { api, type BodyOf } from '@lyceum/contract'
import { ApiError, invalidField } from '../../../core/errors.ts'
import type { Module } from '../../../core/module.ts'
import { type Db, lockName } from '../../../db/index.ts'
import { audit } from '../../audit/index.ts'

const listLinks = async (db: Db) => {
  const rows = await db
    .selectFrom('feed_links')
    .select(['id', 'title', 'url', 'icon', 'enabled', 'new_tab'])
    .orderBy('position')
    .orderBy('id')
    .execute()
  return rows.map((row) => ({ ...row, enabled: row.enabled === 1, new_tab: row.new_tab === 1 }))
}

const ADDRESS = /^\s*[a-z][a-z0-9+.-]*:/i

/** @throws invalid_data for a blank title, invalid_url unless the address is http or https */
const checkLink = ({ title, url, icon }: BodyOf<typeof api.links.save>['links'][number], i: number) => {
  if (title.trim() === '') throw invalidField(`links.${i}.title`, 'must not be empty')
  if (!isHttpUrl(url)) throw new ApiError('invalid_url', { data: { field: `links.${i}.url` } })
  // An icon is an emoji or the URL of a picture.
  if (icon && ADDRESS.test(icon) && !isHttpUrl(icon)) throw new ApiError('invalid_url', { data: { field: `links.${i}.icon` } })
}

/** Custom navigation links. Saving replaces the whole list. */
export const links: Module = {
  name: 'links',
  mount: (mount) =>
    mount('links', api.links, {
      list: async ({ db }) => ({ links: await listLinks(db) }),
      save: async (ctx, { body }) => {
        const { db } = ctx
        body.links.forEach(checkLink)
        await lockName(db, 'feed links')
        await db.deleteFrom('feed_links').execute()
        const rows = body.links.map(({ title, url, icon, enabled = true, new_tab = false }, position) => ({
          title,
          url,
          icon: icon ?? '',
          enabled: Number(enabled) as 0 | 1,
          new_tab: Number(new_tab) as 0 | 1,
          position,
        }))
        if (rows.length > 0) await db.insertInto('feed_links').values(rows).execute()
        await audit(ctx, 'links.changed', { object_type: 'settings', object_id: null, details: { links: rows.length } })
        return { message: 'The links were saved.', links: await listLinks(db) }
      },
    }),
}
