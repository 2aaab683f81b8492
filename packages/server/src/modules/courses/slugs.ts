import { COURSE_SLUG_LENGTH } from '@lyceum/contract'
import type { WriteRequest } from '../../core/context.ts'
import { createSlugs } from '../../core/slugs.ts'
import { statementExists } from '../../db/index.ts'
import { courseAbilities } from './access.ts'
import { loadCourse } from './course-row.ts'

export const courseSlugs = createSlugs({
  kind: 'course',
  length: COURSE_SLUG_LENGTH,
  reserved: ['all', 'all-courses', 'create', 'edit', 'my-courses', 'new', 'search'],
  isUsed: statementExists('select id from courses where slug = $1'),
  isHidden: async ({ db, actor }: Pick<WriteRequest, 'db' | 'actor'>, slug) => {
    const holder = await loadCourse(db, slug, actor.id)
    return holder !== undefined && !courseAbilities(actor, holder).view
  },
})

/** A slug that is not in `taken`, to which it is added. */
export const freeSlug = (base: string, taken: Set<string>): string => {
  const slug = taken.has(base) ? courseSlugs.withSuffix(base) : base
  taken.add(slug)
  return slug
}
