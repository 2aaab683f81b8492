import { randomSuffix, slugify } from '@lyceum/content'
import { type Db, tryLockName } from '../db/index.ts'
import type { WriteRequest } from './context.ts'
import { ApiError } from './errors.ts'

interface SlugRules<Context> {
  /** What has the slugs. Also the slug of a title without letters and digits. */
  readonly kind: string
  readonly length: number
  /** Words with another meaning in paths. */
  readonly reserved: readonly string[]
  readonly isUsed: (db: Db, values: readonly [slug: string]) => Promise<boolean>
  /** Whether the object with this slug must stay hidden from the caller; by default none. */
  readonly isHidden?: (ctx: Context, slug: string) => Promise<boolean>
}

/** Unique slugs, whose conflicts do not reveal objects that are hidden from the caller. */
export const createSlugs = <Context extends Pick<WriteRequest, 'db'>>({ kind, length, reserved, isUsed, isHidden }: SlugRules<Context>) => {
  /** Reserves a slug for this transaction; false if it is taken or another transaction is about to take it. */
  const tryClaim = async (db: Db, slug: string): Promise<boolean> =>
    !reserved.includes(slug) && (await tryLockName(db, `${kind} slug ${slug}`)) && !(await isUsed(db, [slug]))

  const withSuffix = (slug: string): string => `${slug.slice(0, length - 7)}-${randomSuffix()}`

  /** Reserves the requested slug, or the slug with a suffix if a hidden object has it. @throws duplicate_slug */
  const claim = async (ctx: Context, slug: string): Promise<string> => {
    if (await tryClaim(ctx.db, slug)) return slug
    const free = withSuffix(slug)
    if ((await isHidden?.(ctx, slug)) && (await tryClaim(ctx.db, free))) return free
    throw new ApiError('duplicate_slug', { data: { field: 'slug' } })
  }

  return {
    withSuffix,
    claim,
    /**
     * The slug of a new object. A requested slug must be free; one derived from the title gets a suffix if needed. A `hidden` object always gets
     * a suffix, so that its slug cannot be discovered by collision.
     * @throws duplicate_slug
     */
    create: async (ctx: Context, wanted: string | null | undefined, title: string, hidden = false): Promise<string> => {
      if (wanted) return claim(ctx, wanted.toLowerCase())
      const base = slugify(title, length) || kind
      return !hidden && (await tryClaim(ctx.db, base)) ? base : claim(ctx, withSuffix(base))
    },
  }
}
