import { slugify } from '@lyceum/content'
import { batchStatement } from '../../../../server/src/db/index.ts'
import type { Run } from '../run.ts'

interface Wanted {
  readonly kind: 'course_sections' | 'lessons'
  readonly id: string
  readonly course: number
  readonly slug: string
  readonly title: string
}

const LETTERS = /^[a-z0-9]+(?:-[a-z0-9]+)*$/

const takenIn = (table: string) =>
  batchStatement<{ course_id: number; slug: string }>(
    { course_id: 'bigint', slug: 'text' },
    (rows) => `select t.course_id, t.slug from ${rows} d cross join ${table} t where t.course_id = d.course_id and t.slug = d.slug`,
  )
const TAKEN = { course_sections: takenIn('course_sections'), lessons: takenIn('lessons') } as const

/** Slugs that are unique in a course: the source slugs, with a suffix if needed that is the same in each import. */
export const slugsInCourses = async (run: Run, wanted: readonly Wanted[], longest: number): Promise<string[]> => {
  const [first] = wanted
  if (!first) return []
  const pairs = wanted.map(({ kind, id, course, slug, title }) => {
    const lower = slug.trim().toLowerCase()
    const base =
      LETTERS.test(lower) && lower.length <= longest ? lower : slugify(slug, longest) || slugify(title, longest) || first.kind.slice(0, 6)
    return { course, base, withSuffix: `${base.slice(0, longest - 7)}-${run.derived.suffix(kind, id)}` }
  })
  const keyOf = (course: number, slug: string) => `slug:${first.kind}:${course}:${slug}`
  const asked = pairs.flatMap(({ course, base, withSuffix }) => [[course, base] as const, [course, withSuffix] as const])
  const rows = await TAKEN[first.kind](run.services.database.read, asked)
  const used = await run.memory.taken(asked.map(([course, slug]) => keyOf(course, slug)))
  for (const { course_id, slug } of rows) used.add(keyOf(course_id, slug))
  return pairs.map(({ course, base, withSuffix }) => {
    const slug = used.has(keyOf(course, base)) ? withSuffix : base
    used.add(keyOf(course, slug))
    run.memory.take(keyOf(course, slug))
    return slug
  })
}
