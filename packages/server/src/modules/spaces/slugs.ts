import { SPACE_SLUG_LENGTH } from '@lyceum/contract'
import { type Db, statementOne, tryLockName } from '../../db/index.ts'
import { randomSuffix, slugify } from '../../platform/content/slug.ts'
import { ApiError } from '../../platform/errors.ts'

/** Words that mean something else in an address below `/spaces`. */
const RESERVED = new Set([
  'all',
  'all-spaces',
  'create',
  'discover',
  'edit',
  'feeds',
  'groups',
  'joined',
  'new',
  'search',
  'space_groups',
  'users',
])

const inUse = statementOne<{ slug: string }>(
  'select slug from spaces where slug = $1 union all select slug from space_groups where slug = $1 limit 1',
)

/** Keeps a free slug for this transaction; false when it is taken, or another transaction is about to take it. */
const claim = async (db: Db, slug: string): Promise<boolean> =>
  !RESERVED.has(slug) && (await tryLockName(db, `space slug ${slug}`)) && !(await inUse(db, [slug]))

/** @throws duplicate_slug */
export const claimSlug = async (db: Db, slug: string): Promise<string> => {
  if (!(await claim(db, slug))) throw new ApiError('duplicate_slug', { data: { field: 'slug' } })
  return slug
}

/**
 * The slug of a new space or group: unique over both. One that was asked for must be free, one made from the title becomes so. What is `hidden`
 * from others takes no plain slug, which would tell them of it when they want the same.
 * @throws duplicate_slug
 */
export const newSlug = async (db: Db, wanted: string | undefined, title: string, hidden = false): Promise<string> => {
  if (wanted) return claimSlug(db, wanted.toLowerCase())
  const base = slugify(title, SPACE_SLUG_LENGTH) || 'space'
  if (!hidden && (await claim(db, base))) return base
  return claimSlug(db, `${base.slice(0, SPACE_SLUG_LENGTH - 7)}-${randomSuffix()}`)
}
