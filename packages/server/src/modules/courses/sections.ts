import { slugify } from '@lyceum/content'
import { type api, type BodyOf, COURSE_SLUG_LENGTH } from '@lyceum/contract'
import { normalizeDatetime } from '../../core/clock.ts'
import type { WriteRequest } from '../../core/context.ts'
import { ApiError, invalidField } from '../../core/errors.ts'
import { cleanTitle } from '../../core/validate-text.ts'
import { type Db, statement, statementNumber, statementValues } from '../../db/index.ts'
import { audit } from '../audit/index.ts'
import { lockedCourseFor } from './access.ts'
import { reconcileCourse } from './completion.ts'
import { recountCourse } from './course-row.ts'
import { emitDiscussionsDeleted, type Section, sectionDiscussions, sectionIn, sectionsOf } from './section-queries.ts'
import { freeSlug } from './slugs.ts'

type Fields = BodyOf<typeof api.courseSections.patch>

export const nextSectionPosition = statementNumber('select coalesce(max(position), 0) + 1 as n from course_sections where course_id = $1')
const slugs = statementValues<string>('select slug from course_sections where course_id = $1')
const moveTo = statement('update course_sections set position = $2 where id = $1')
const renumberLessons = (order: string) =>
  statement(
    `update lessons set position = o.place from
       (select l.id, row_number() over (order by ${order}) as place
        from lessons l join course_sections s on s.id = l.section_id where l.course_id = $1) o
     where lessons.id = o.id and lessons.position <> o.place`,
  )
/** Renumbers lessons to follow the order of their sections. */
const renumberBySection = renumberLessons('s.position, s.id, l.position, l.id')
/** Closes gaps in the positions of lessons. */
export const closeLessonGaps = renumberLessons('l.position, l.id')

export const takenSectionSlugs = async (db: Db, courseId: number) => new Set(await slugs(db, [courseId]))

/**
 * A section unlocks at a date or a number of days after enrolment; setting one clears the other.
 * @throws invalid_data
 */
const unlockColumns = ({ scheduled_at, days_after, reactions_count }: Fields) => {
  const days = days_after ?? reactions_count
  if (scheduled_at && days) throw invalidField('days_after', 'and scheduled_at are mutually exclusive')
  const at = scheduled_at ? normalizeDatetime(scheduled_at) : null
  if (scheduled_at && !at) throw invalidField('scheduled_at', 'must be a valid date and time')
  if (at) return { scheduled_at: at, days_after: 0 }
  if (days) return { scheduled_at: null, days_after: days }
  return { ...(scheduled_at === null && { scheduled_at }), ...(days === 0 && { days_after: days }) }
}

const wantedSlug = (slug: string | undefined, taken: Set<string>): string | undefined => {
  const wanted = slug?.toLowerCase()
  if (wanted && taken.has(wanted)) throw new ApiError('duplicate_slug', { data: { field: 'slug' } })
  return wanted || undefined
}

const auditSection = (
  ctx: WriteRequest,
  verb: 'created' | 'updated' | 'deleted',
  { id, course_id, title }: Section,
  details: object = {},
) => audit(ctx, `course_section.${verb}`, { object_type: 'course_section', object_id: id, details: { course_id, title, ...details } })

/** @throws course_not_found, rest_forbidden, duplicate_slug, invalid_data */
export const createSection = async (ctx: WriteRequest, courseId: number, body: BodyOf<typeof api.courseSections.create>) => {
  const { db, now } = ctx
  await lockedCourseFor(ctx, courseId, 'manage')
  const title = cleanTitle(body.title)
  const taken = await takenSectionSlugs(db, courseId)
  const slug = wantedSlug(body.slug, taken) ?? freeSlug(slugify(title, COURSE_SLUG_LENGTH) || 'section', taken)
  const section = await db
    .insertInto('course_sections')
    .values({
      scheduled_at: null,
      ...unlockColumns(body),
      course_id: courseId,
      title,
      slug,
      status: body.status ?? 'published',
      position: await nextSectionPosition(db, [courseId]),
      created_at: now,
      updated_at: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  await recountCourse(db, courseId)
  await auditSection(ctx, 'created', section)
  return section
}

/** @throws course_not_found, section_not_found, rest_forbidden, duplicate_slug, invalid_data */
export const updateSection = async (ctx: WriteRequest, courseId: number, sectionId: number, body: Fields): Promise<Section> => {
  const { db, now } = ctx
  await lockedCourseFor(ctx, courseId, 'manage')
  const before = await sectionIn(db, courseId, sectionId)
  const others = await takenSectionSlugs(db, courseId)
  others.delete(before.slug)
  const section = await db
    .updateTable('course_sections')
    .set({
      ...unlockColumns(body),
      ...(body.title !== undefined && { title: cleanTitle(body.title) }),
      slug: wantedSlug(body.slug, others) ?? before.slug,
      status: body.status ?? before.status,
      updated_at: now,
    })
    .where('id', '=', sectionId)
    .returningAll()
    .executeTakeFirstOrThrow()
  const [was, is] = [before.status === 'published', section.status === 'published']
  if (was !== is) await reconcileCourse(ctx, courseId)
  await auditSection(ctx, 'updated', section, { fields: Object.keys(body) })
  return section
}

/** Deletes a section with its lessons. @throws course_not_found, section_not_found, rest_forbidden */
export const removeSection = async (ctx: WriteRequest, courseId: number, sectionId: number): Promise<void> => {
  await lockedCourseFor(ctx, courseId, 'manage')
  const section = await sectionIn(ctx.db, courseId, sectionId)
  const discussions = await sectionDiscussions(ctx.db, [sectionId])
  await ctx.db.deleteFrom('course_sections').where('id', '=', sectionId).execute()
  await emitDiscussionsDeleted(ctx, discussions)
  await closeLessonGaps(ctx.db, [courseId])
  await auditSection(ctx, 'deleted', section)
  await reconcileCourse(ctx, courseId)
}

/**
 * Moves the named sections to these positions; the rest keep their order, and lessons follow their sections.
 * @throws course_not_found, rest_forbidden, invalid_data
 */
export const reorderSections = async (ctx: WriteRequest, courseId: number, indexes: Readonly<Record<string, number>>): Promise<void> => {
  const { db } = ctx
  await lockedCourseFor(ctx, courseId, 'manage')
  const sections = await sectionsOf(db, [courseId])
  const places = new Map(Object.entries(indexes))
  const known = new Set(sections.map(({ id }) => String(id)))
  if (![...places.keys()].every((id) => known.has(id))) throw invalidField('indexes', 'must contain only sections of this course')
  const placeOf = ({ id, position }: Section) => places.get(String(id)) ?? position
  const isNamed = ({ id }: Section) => Number(places.has(String(id)))
  const ordered = sections.toSorted((a, b) => placeOf(a) - placeOf(b) || isNamed(b) - isNamed(a) || a.id - b.id)
  for (const [i, { id, position }] of ordered.entries()) if (position !== i + 1) await moveTo(db, [id, i + 1])
  await renumberBySection(db, [courseId])
  await audit(ctx, 'course.updated', { object_type: 'course', object_id: courseId, details: { fields: ['sections'] } })
}
