import { COURSE_SLUG_LENGTH } from '@lyceum/contract'
import { randomSuffix, slugify } from '../../content/slug.ts'
import type { WriteRequest } from '../../core/context.ts'
import { ApiError } from '../../core/errors.ts'
import { type Db, statementOne, tryLockName } from '../../db/index.ts'
import { courseAbilities } from './access.ts'
import { loadCourse } from './course-row.ts'

/** Path segments below `/courses` with another meaning. */
const RESERVED = new Set(['all', 'all-courses', 'create', 'edit', 'my-courses', 'new', 'search'])

const inUse = statementOne<{ id: number }>('select id from courses where slug = $1')

/** Reserves a slug for this transaction; false if it is taken or another transaction is about to take it. */
const claim = async (db: Db, slug: string): Promise<boolean> =>
  !RESERVED.has(slug) && (await tryLockName(db, `course slug ${slug}`)) && !(await inUse(db, [slug]))

type SlugContext = Pick<WriteRequest, 'db' | 'actor'>

const withSuffix = (slug: string): string => `${slug.slice(0, COURSE_SLUG_LENGTH - 7)}-${randomSuffix()}`

/**
 * Reserves the requested slug. If a course hidden from the caller has it, a random suffix is added, because an error would reveal that
 * course.
 * @throws duplicate_slug
 */
export const claimCourseSlug = async ({ db, actor }: SlugContext, slug: string): Promise<string> => {
  if (await claim(db, slug)) return slug
  const holder = await loadCourse(db, slug, actor.id)
  const free = withSuffix(slug)
  if (!holder || courseAbilities(actor, holder).view || !(await claim(db, free)))
    throw new ApiError('duplicate_slug', { data: { field: 'slug' } })
  return free
}

/**
 * The slug of a new course. A requested slug must be free; one derived from the title gets a suffix if needed. A `hidden` course always
 * gets a suffix, so that its slug cannot be discovered by collision.
 * @throws duplicate_slug
 */
export const newCourseSlug = async (ctx: SlugContext, wanted: string | undefined, title: string, hidden = false): Promise<string> => {
  if (wanted) return claimCourseSlug(ctx, wanted.toLowerCase())
  const base = slugify(title, COURSE_SLUG_LENGTH) || 'course'
  if (!hidden && (await claim(ctx.db, base))) return base
  return claimCourseSlug(ctx, withSuffix(base))
}

/** A slug that is not in `taken`, to which it is added. */
export const freeSlug = (base: string, taken: Set<string>): string => {
  const slug = taken.has(base) ? withSuffix(base) : base
  taken.add(slug)
  return slug
}
