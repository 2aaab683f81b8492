import { searchText } from '../../content/plain-text.ts'
import { randomSuffix, slugify, slugSource } from '../../content/slug.ts'
import { type Db, indexFeed, statement, statementOne } from '../../db/index.ts'
import type { Draft } from './draft.ts'

const insert = statementOne<{ id: number }>(
  `insert into feeds (user_id, title, slug, message, message_rendered, type, content_type, space_id, privacy, status, featured_image, meta,
   is_sticky, priority, expired_at, scheduled_at, created_at, updated_at, published_at, active_at, listed)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $17, $17, $17, $18)
   on conflict (slug) do nothing returning id`,
)
const save = statement(
  `update feeds set title = $2, message = $3, message_rendered = $4, type = $5, content_type = $6, space_id = $7, privacy = $8, status = $9,
   featured_image = $10, meta = $11, is_sticky = $12, priority = $13, expired_at = $14, scheduled_at = $15, updated_at = $16,
   published_at = $17, active_at = $18, listed = $19, edited_at = $20, edited_by_moderator = $21 where id = $1`,
)
const remove = statement('delete from feeds where id = $1')

const SLUG_TRIES = 5

interface NewFeed extends Draft {
  readonly user_id: number
  readonly space_id: number | null
  readonly message_rendered: string
  readonly listed: boolean
  readonly isPublic: boolean
}

/**
 * Inserts a feed under a unique slug and indexes it for search. A feed that is not public never takes the plain slug: the taken slug would
 * reveal its existence to others who use the same title.
 */
export const insertFeed = async (db: Db, feed: NewFeed, now: string): Promise<{ id: number; slug: string }> => {
  const baseSlug = slugify(slugSource(feed.title, feed.message))
  for (let attempt = 0; attempt < SLUG_TRIES; attempt++) {
    const slug = attempt === 0 && baseSlug && feed.isPublic ? baseSlug : `${baseSlug || 'feed'}-${randomSuffix()}`
    const row = await insert(db, [
      feed.user_id,
      feed.title,
      slug,
      feed.message,
      feed.message_rendered,
      feed.type,
      feed.content_type,
      feed.space_id,
      feed.privacy,
      feed.status,
      feed.featured_image,
      JSON.stringify(feed.meta),
      feed.is_sticky,
      feed.priority,
      feed.expired_at,
      feed.scheduled_at,
      now,
      feed.listed ? 1 : 0,
    ])
    if (!row) continue
    await indexFeed(db, row.id, searchText(feed.title, feed.message_rendered), true)
    return { id: row.id, slug }
  }
  throw new Error(`no free slug for ${baseSlug}`)
}

interface StoredFeed extends Draft {
  readonly id: number
  readonly space_id: number | null
  readonly message_rendered: string
  readonly published_at: string
  readonly active_at: string
  readonly listed: boolean
  readonly edited_at: string | null
  readonly edited_by_moderator: 0 | 1
}

export const saveFeed = async (db: Db, feed: StoredFeed, textChanged: boolean, now: string): Promise<void> => {
  await save(db, [
    feed.id,
    feed.title,
    feed.message,
    feed.message_rendered,
    feed.type,
    feed.content_type,
    feed.space_id,
    feed.privacy,
    feed.status,
    feed.featured_image,
    JSON.stringify(feed.meta),
    feed.is_sticky,
    feed.priority,
    feed.expired_at,
    feed.scheduled_at,
    now,
    feed.published_at,
    feed.active_at,
    feed.listed ? 1 : 0,
    feed.edited_at,
    feed.edited_by_moderator,
  ])
  if (textChanged) await indexFeed(db, feed.id, searchText(feed.title, feed.message_rendered), false)
}

export const deleteFeed = (db: Db, feedId: number) => remove(db, [feedId])
