import { COURSE_SLUG_LENGTH } from '@lyceum/contract'
import { randomSuffix, slugify } from '../../content/slug.ts'
import type { WriteRequest } from '../../core/context.ts'
import { ApiError } from '../../core/errors.ts'
import { type Db, statementOne, tryLockName } from '../../db/index.ts'
import { courseAbilities } from './access.ts'
import { loadCourse } from './course-row.ts'

/** Words that mean something else in an address below `/courses`. */
const RESERVED = new Set(['all', 'all-courses', 'create', 'edit', 'my-courses', 'new', 'search'])

const inUse = statementOne<{ id: number }>('select id from courses where slug = $1')

/** Keeps a free slug for this transaction; false when it is taken, or another transaction is about to take it. */
const claim = async (db: Db, slug: string): Promise<boolean> =>
  !RESERVED.has(slug) && (await tryLockName(db, `course slug ${slug}`)) && !(await inUse(db, [slug]))

type Asking = Pick<WriteRequest, 'db' | 'actor'>

const withSuffix = (slug: string): string => `${slug.slice(0, COURSE_SLUG_LENGTH - 7)}-${randomSuffix()}`

/**
 * The slug that was asked for. Where a course that the caller may not see has it, a random suffix makes it free, as it does for slugs made
 * from titles: an error would name that course.
 * @throws duplicate_slug
 */
export const claimCourseSlug = async ({ db, actor }: Asking, slug: string): Promise<string> => {
  if (await claim(db, slug)) return slug
  const holder = await loadCourse(db, slug, actor.id)
  const free = withSuffix(slug)
  if (!holder || courseAbilities(actor, holder).view || !(await claim(db, free)))
    throw new ApiError('duplicate_slug', { data: { field: 'slug' } })
  return free
}

/**
 * The slug of a new course. One that was asked for must be free, one made from the title becomes so. What is `hidden` from others takes no plain
 * slug, which would tell them of it when they want the same.
 * @throws duplicate_slug
 */
export const newCourseSlug = async (ctx: Asking, wanted: string | undefined, title: string, hidden = false): Promise<string> => {
  if (wanted) return claimCourseSlug(ctx, wanted.toLowerCase())
  const base = slugify(title, COURSE_SLUG_LENGTH) || 'course'
  if (!hidden && (await claim(ctx.db, base))) return base
  return claimCourseSlug(ctx, withSuffix(base))
}

/** A slug like this one that is not among those taken; it counts as taken from then on. */
export const freeSlug = (base: string, taken: Set<string>): string => {
  const slug = taken.has(base) ? withSuffix(base) : base
  taken.add(slug)
  return slug
}
