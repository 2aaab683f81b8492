import { randomSuffix, slugify, slugSource } from '@lyceum/content'
import { assignments, type Db, indexFeed, insertSql, statement, statementOne, valuesIn } from '../../db/index.ts'
import type { Draft } from './draft.ts'
import type { FeedFor } from './feed-row.ts'
import { STORED_FIELDS, searchText } from './fields.ts'

/** Columns that creating and editing write alike. */
const CONTENT = [...STORED_FIELDS, 'message_rendered', 'listed'] as const
const CREATED = ['user_id', 'slug', 'created_at', 'updated_at', 'published_at', 'active_at', ...CONTENT] as const
const EDITED = ['updated_at', 'published_at', 'active_at', 'edited_at', 'edited_by_moderator', ...CONTENT] as const

const insert = statementOne<{ id: number }>(`${insertSql('feeds', CREATED)} on conflict (slug) do nothing returning id`)
const save = statement(`update feeds set ${assignments(EDITED)} where id = $1`)
const remove = statement('delete from feeds where id = $1')

/** Passes slugs for a text to `tryInsert` until one of them is free. */
export const insertWithSlug = async (
  text: string,
  fallback: string,
  isPublic: boolean,
  tryInsert: (slug: string) => Promise<{ id: number } | undefined>,
): Promise<{ id: number; slug: string }> => {
  const base = slugify(text)
  for (let attempt = 0; attempt < SLUG_TRIES; attempt++) {
    const slug = attempt === 0 && base && isPublic ? base : `${base || fallback}-${randomSuffix()}`
    const row = await tryInsert(slug)
    if (row) return { id: row.id, slug }
  }
  throw new Error(`no free slug for ${base}`)
}

const SLUG_TRIES = 5

interface StoredFeed extends Draft, Pick<FeedFor, 'space_id' | 'message_rendered'> {
  readonly listed: boolean
}

const toRow = <F extends StoredFeed>({ meta, listed, ...feed }: F) => ({ ...feed, meta: JSON.stringify(meta), listed: listed ? 1 : 0 })

/**
 * Inserts a feed under a unique slug and indexes it for search. A feed that is not public never takes the plain slug: the taken slug would
 * reveal its existence to others who use the same title.
 */
export const insertFeed = async (db: Db, feed: StoredFeed & { readonly user_id: number; readonly isPublic: boolean }, now: string) => {
  const row = { ...toRow(feed), created_at: now, updated_at: now, published_at: now, active_at: now }
  const inserted = await insertWithSlug(slugSource(feed.title, feed.message), 'feed', feed.isPublic, (slug) =>
    insert(db, valuesIn({ ...row, slug }, CREATED)),
  )
  await indexFeed(db, inserted.id, searchText(feed), true)
  return inserted
}

type SavedFeed = StoredFeed & Pick<FeedFor, 'id' | 'published_at' | 'active_at' | 'edited_at' | 'edited_by_moderator'>

export const saveFeed = async (db: Db, feed: SavedFeed, textChanged: boolean, now: string): Promise<void> => {
  await save(db, [feed.id, ...valuesIn({ ...toRow(feed), updated_at: now }, EDITED)])
  if (textChanged) await indexFeed(db, feed.id, searchText(feed), false)
}

export const deleteFeed = (db: Db, feedId: number) => remove(db, [feedId])
