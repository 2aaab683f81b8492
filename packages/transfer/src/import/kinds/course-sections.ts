import { COURSE_SLUG_LENGTH, COURSE_TITLE_LENGTH } from '@lyceum/contract'
import type { Value } from '../../../../server/src/db/index.ts'
import { recountCourse } from '../../../../server/src/modules/courses/index.ts'
import type { Decision, KindWriter } from '../import-kind.ts'
import type { Slice } from '../slice.ts'
import { slugsInCourses } from './slugs-in-course.ts'
import { notAfter, titleOf } from './values.ts'
import { setColumns } from './write-columns.ts'

interface SectionDecision extends Decision<'course_sections'> {
  readonly id: number
  readonly guarded: readonly Value[]
  readonly course: number
  readonly slug: string
}

const COLUMNS = ['title', 'status', 'position', 'days_after', 'scheduled_at']

export const recount = async ({ db }: Pick<Slice, 'db'>, courses: Iterable<number>): Promise<void> => {
  for (const course of [...new Set(courses)].sort((a, b) => a - b)) await recountCourse(db, course)
}

export const courseSections: KindWriter<'course_sections', SectionDecision> = {
  kind: 'course_sections',
  guarded: { table: 'course_sections', columns: COLUMNS },
  decide: async (run, items, settle) => {
    const courses = await run.find(
      'courses',
      items.map(({ record }) => record.course),
    )
    const placed = items.flatMap((item) => {
      const course = courses.get(item.record.course)
      if (course) return [{ item, course: course.id }]
      settle(item, 'skipped', 'its course was not imported')
      return []
    })
    const fresh = placed.filter(({ item }) => item.known === undefined)
    const ids = await run.ids.take('course_sections', fresh.length)
    const slugs = await slugsInCourses(
      run,
      fresh.map(({ item: { record }, course }) => ({
        kind: 'course_sections',
        id: record.id,
        course,
        slug: record.slug,
        title: record.title,
      })),
      COURSE_SLUG_LENGTH,
    )
    return placed.map((one, i) => {
      const { item, course } = one
      const { record, known } = item
      const place = fresh.indexOf(one)
      const id = known?.local_id ?? (ids[place] as number)
      run.memory.put('course_sections', record.id, { id, course_id: course })
      const scheduled = record.scheduled_at ?? null
      const title = titleOf(record.title, COURSE_TITLE_LENGTH, 'Section')
      const guarded = [title, record.status, record.position ?? i + 1, scheduled === null ? (record.days_after ?? 0) : 0, scheduled]
      return { item, id, guarded, course, slug: slugs[place] ?? '' }
    })
  },
  insert: async (run, slice, decided) => {
    await slice.add(
      'course_sections',
      ['id', 'course_id', 'slug', ...COLUMNS, 'created_at', 'updated_at'],
      decided.map(({ id, course, slug, guarded, item: { record } }) => {
        const at = notAfter(run.now, record.created_at)
        return [id, course, slug, ...guarded, at, record.updated_at ?? at]
      }),
    )
    await recount(
      slice,
      decided.map(({ course }) => course),
    )
  },
  update: async (_run, slice, decided) => {
    for (const { id, guarded } of decided) await setColumns(slice.db, 'course_sections', COLUMNS, id, guarded)
    await recount(
      slice,
      decided.map(({ course }) => course),
    )
  },
}
