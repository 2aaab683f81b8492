import { randomSuffix, slugify, slugSource } from '../../content/slug.ts'
import { type Db, indexFeed, statement, statementOne } from '../../db/index.ts'
import type { Draft } from './draft.ts'
import { STORED_FIELDS, searchText } from './fields.ts'

/** Columns that creating and editing write alike. */
const CONTENT = [...STORED_FIELDS, 'message_rendered', 'listed'] as const
const CREATED = ['user_id', 'slug', 'created_at', 'updated_at', 'published_at', 'active_at', ...CONTENT] as const
const EDITED = ['updated_at', 'published_at', 'active_at', 'edited_at', 'edited_by_moderator', ...CONTENT] as const

const insert = statementOne<{ id: number }>(
  `insert into feeds (${CREATED.join(', ')}) values (${CREATED.map((_, i) => `$${i + 1}`).join(', ')})
   on conflict (slug) do nothing returning id`,
)
const save = statement(`update feeds set ${EDITED.map((column, i) => `${column} = $${i + 2}`).join(', ')} where id = $1`)
const remove = statement('delete from feeds where id = $1')

const SLUG_TRIES = 5

interface NewFeed extends Draft {
  readonly user_id: number
  readonly space_id: number | null
  readonly message_rendered: string
  readonly listed: boolean
  readonly isPublic: boolean
}

type Column = (typeof CREATED)[number] | (typeof EDITED)[number]

const valuesOf = <C extends Column>(
  columns: readonly C[],
  feed: Omit<Record<C, unknown>, 'meta' | 'listed'> & Pick<NewFeed, 'meta' | 'listed'>,
) => {
  const row: Record<string, unknown> = { ...feed, meta: JSON.stringify(feed.meta), listed: feed.listed ? 1 : 0 }
  return columns.map((column) => row[column] as string | number | null)
}

/**
 * Inserts a feed under a unique slug and indexes it for search. A feed that is not public never takes the plain slug: the taken slug would
 * reveal its existence to others who use the same title.
 */
export const insertFeed = async (db: Db, feed: NewFeed, now: string): Promise<{ id: number; slug: string }> => {
  const baseSlug = slugify(slugSource(feed.title, feed.message))
  for (let attempt = 0; attempt < SLUG_TRIES; attempt++) {
    const slug = attempt === 0 && baseSlug && feed.isPublic ? baseSlug : `${baseSlug || 'feed'}-${randomSuffix()}`
    const row = await insert(db, valuesOf(CREATED, { ...feed, slug, created_at: now, updated_at: now, published_at: now, active_at: now }))
    if (!row) continue
    await indexFeed(db, row.id, searchText(feed), true)
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
  await save(db, [feed.id, ...valuesOf(EDITED, { ...feed, updated_at: now })])
  if (textChanged) await indexFeed(db, feed.id, searchText(feed), false)
}

export const deleteFeed = (db: Db, feedId: number) => remove(db, [feedId])
