import { SPACE_SLUG_LENGTH } from '@lyceum/contract'
import { randomSuffix, slugify } from '../../content/slug.ts'
import type { WriteRequest } from '../../core/context.ts'
import { ApiError } from '../../core/errors.ts'
import { type Db, statementOne, tryLockName } from '../../db/index.ts'
import { loadSpace, spaceAbilities } from './access.ts'

/** Words with another meaning in paths below `/spaces`. */
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

/** Reserves a free slug for this transaction; false if it is taken or being taken by another transaction. */
const tryClaim = async (db: Db, slug: string): Promise<boolean> =>
  !RESERVED.has(slug) && (await tryLockName(db, `space slug ${slug}`)) && !(await inUse(db, [slug]))

type SlugRequest = Pick<WriteRequest, 'db' | 'actor'>

const withSuffix = (slug: string): string => `${slug.slice(0, SPACE_SLUG_LENGTH - 7)}-${randomSuffix()}`

/**
 * The requested slug. If a space hidden from the caller has it, a random suffix is added, as for slugs derived from titles: an error would
 * reveal that space.
 * @throws duplicate_slug
 */
export const claimSlug = async ({ db, actor }: SlugRequest, slug: string): Promise<string> => {
  if (await tryClaim(db, slug)) return slug
  const holder = await loadSpace(db, slug, actor.id)
  const free = withSuffix(slug)
  if (!holder || spaceAbilities(actor, holder).view || !(await tryClaim(db, free)))
    throw new ApiError('duplicate_slug', { data: { field: 'slug' } })
  return free
}

/**
 * The slug of a new space or group; unique among both. A requested slug must be free; one derived from the title gets a suffix if taken. A
 * `hidden` space never takes the plain slug, because the conflict would reveal it.
 * @throws duplicate_slug
 */
export const createSlug = async (ctx: SlugRequest, wanted: string | undefined, title: string, hidden = false): Promise<string> => {
  if (wanted) return claimSlug(ctx, wanted.toLowerCase())
  const base = slugify(title, SPACE_SLUG_LENGTH) || 'space'
  if (!hidden && (await tryClaim(ctx.db, base))) return base
  return claimSlug(ctx, withSuffix(base))
}
