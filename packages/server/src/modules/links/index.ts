import { api } from '@lyceum/contract'
import type { Db } from '../../db/index.ts'
import { isHttpUrl } from '../../platform/content/url.ts'
import { ApiError } from '../../platform/errors.ts'
import type { Module } from '../../platform/module.ts'

const listLinks = async (db: Db) => {
  const rows = await db
    .selectFrom('feed_links')
    .select(['id', 'title', 'url', 'icon', 'enabled', 'new_tab'])
    .orderBy('serial')
    .orderBy('id')
    .execute()
  return rows.map((row) => ({ ...row, enabled: row.enabled === 1, new_tab: row.new_tab === 1 }))
}

/** Links beside the feed; the administrator's list replaces the one before. */
export const links: Module = {
  name: 'links',
  mount: (mount) =>
    mount('links', api.links, {
      list: async ({ db }) => ({ links: await listLinks(db) }),
      save: async ({ db }, { body }) => {
        for (const [i, link] of body.links.entries()) {
          if (!isHttpUrl(link.url)) throw new ApiError('invalid_url', { data: { field: `links.${i}.url` } })
        }
        await db.deleteFrom('feed_links').execute()
        const rows = body.links.map(({ title, url, icon, enabled = true, new_tab = false }, serial) => ({
          title,
          url,
          icon: icon ?? '',
          enabled: enabled ? (1 as const) : (0 as const),
          new_tab: new_tab ? (1 as const) : (0 as const),
          serial,
        }))
        if (rows.length > 0) await db.insertInto('feed_links').values(rows).execute()
        return { message: 'Saved.', links: await listLinks(db) }
      },
    }),
}
