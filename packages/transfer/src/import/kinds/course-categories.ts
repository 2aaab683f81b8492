import { slugify } from '@lyceum/content'
import { findCategory } from '../../../../server/src/modules/courses/categories.ts'
import type { Decision, KindWriter } from '../import-kind.ts'
import { freeSlugs } from './slugs.ts'
import { titleOf } from './values.ts'

interface CategoryDecision extends Decision<'course_categories'> {
  readonly id: number
  readonly slug: string
  readonly title: string
  readonly exists: boolean
}

const LONGEST = 100
const SLUGS = { name: 'course_categories', tables: ['course_categories'], longest: LONGEST, reserved: new Set<string>() } as const

/** Categories with the same title or slug are merged. */
export const courseCategories: KindWriter<'course_categories', CategoryDecision> = {
  kind: 'course_categories',
  guarded: null,
  most: 100,
  decide: async (run, items) => {
    const decided: CategoryDecision[] = []
    for (const item of items) {
      const { record } = item
      const title = titleOf(record.title, LONGEST, record.slug || 'Category')
      const found = await findCategory(run.services.database.read, title)
      const [id = 0] = found ? [found.id] : await run.ids.take('course_categories', 1)
      const wanted = { kind: 'course_categories', id: record.id, slug: record.slug, words: title, fallback: 'category', hidden: false }
      const [slug = slugify(title, LONGEST)] = found ? [found.slug] : await freeSlugs(run, SLUGS, [wanted])
      run.memory.put('course_categories', record.id, { id })
      decided.push({ item, id, guarded: null, slug, title, exists: found !== undefined })
    }
    return decided
  },
  insert: async (_run, { add }, decided) => {
    await add(
      'course_categories',
      ['id', 'title', 'slug'],
      decided.flatMap(({ id, title, slug, exists }) => (exists ? [] : [[id, title, slug]])),
    )
  },
}
