import { SPACE_SLUG_LENGTH } from '@lyceum/contract'
import { randomSuffix, slugify } from '../../content/slug.ts'
import type { WriteRequest } from '../../core/context.ts'
import { ApiError } from '../../core/errors.ts'
import { type Db, statementOne, tryLockName } from '../../db/index.ts'
import { loadSpace, spaceAbilities } from './access.ts'

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

type Asking = Pick<WriteRequest, 'db' | 'actor'>

const withSuffix = (slug: string): string => `${slug.slice(0, SPACE_SLUG_LENGTH - 7)}-${randomSuffix()}`

/**
 * The slug that was asked for. Where a space that the caller may not see has it, a random suffix makes it free, as it does for slugs made
 * from titles: an error would name that space.
 * @throws duplicate_slug
 */
export const claimSlug = async ({ db, actor }: Asking, slug: string): Promise<string> => {
  if (await claim(db, slug)) return slug
  const holder = await loadSpace(db, slug, actor.id)
  const free = withSuffix(slug)
  if (!holder || spaceAbilities(actor, holder).view || !(await claim(db, free)))
    throw new ApiError('duplicate_slug', { data: { field: 'slug' } })
  return free
}

/**
 * The slug of a new space or group: unique over both. One that was asked for must be free, one made from the title becomes so. What is `hidden`
 * from others takes no plain slug, which would tell them of it when they want the same.
 * @throws duplicate_slug
 */
export const newSlug = async (ctx: Asking, wanted: string | undefined, title: string, hidden = false): Promise<string> => {
  if (wanted) return claimSlug(ctx, wanted.toLowerCase())
  const base = slugify(title, SPACE_SLUG_LENGTH) || 'space'
  if (!hidden && (await claim(ctx.db, base))) return base
  return claimSlug(ctx, withSuffix(base))
}
