import { render } from '@lyceum/content'
import { type api, type BodyOf, COURSE_CONTENT_BYTES, COURSE_DESCRIPTION_BYTES } from '@lyceum/contract'
import type { WriteRequest } from '../../core/context.ts'
import { ApiError, invalidField } from '../../core/errors.ts'
import { checkAddress, cleanTitle } from '../../core/validate-text.ts'
import type { Db } from '../../db/index.ts'
import { audit } from '../audit/index.ts'
import { attachMedia, detachMedia } from '../media/index.ts'
import { courseAbilities, lockedCourseFor, requireCourseCreator } from './access.ts'
import { categoryNamed } from './categories.ts'
import type { CourseFor } from './course-row.ts'
import { mergeLockscreen, requiredBy, withRequiredCourses } from './lockscreen.ts'
import { existingCourses, readRequired, setRequired } from './prerequisites.ts'
import { isActiveUser, nextCoursePosition } from './queries.ts'
import { courseDiscussions, emitDiscussionsDeleted } from './section-queries.ts'
import { mergeCourseSettings } from './settings.ts'
import { courseSlugs } from './slugs.ts'

type Fields = BodyOf<typeof api.courses.update>

const checkBytes = (text: string | null | undefined, most: number, field: string): void => {
  if (Buffer.byteLength(text ?? '') > most) throw invalidField(field, `must have at most ${most} bytes`)
}

const plainColumns = (fields: Fields) => {
  const { title, description, content, featured_image, logo, cover_photo, duration, price } = fields
  const { status, privacy, difficulty, course_type = fields.settings?.course_type } = fields
  checkAddress(featured_image, 'featured_image')
  checkAddress(logo, 'logo')
  checkAddress(cover_photo, 'cover_photo')
  checkBytes(description, COURSE_DESCRIPTION_BYTES, 'description')
  checkBytes(content, COURSE_CONTENT_BYTES, 'content')
  return {
    ...(title !== undefined && { title: cleanTitle(title) }),
    ...(description !== undefined && { description }),
    ...(content !== undefined && { content: render(content ?? '', 'html') }),
    ...(featured_image !== undefined && { featured_image: featured_image ?? '' }),
    ...(logo !== undefined && { logo: logo ?? '' }),
    ...(cover_photo !== undefined && { cover_photo: cover_photo ?? '' }),
    ...(duration !== undefined && { duration: duration ?? '' }),
    ...(price !== undefined && { price: String(price) }),
    ...(status !== undefined && { status }),
    ...(privacy !== undefined && { privacy }),
    ...(difficulty !== undefined && { difficulty }),
    ...(course_type !== undefined && { course_type }),
  }
}

type MediaFields = Pick<CourseFor, 'id' | 'logo' | 'cover_photo' | 'featured_image' | 'description' | 'content' | 'settings' | 'lockscreen'>

const attachCourseMedia = (ctx: WriteRequest, course: MediaFields): Promise<void> => {
  const { id, logo, cover_photo, featured_image, description, content, settings, lockscreen } = course
  const urls = [logo, cover_photo, featured_image, description, content, settings, lockscreen]
  return attachMedia(ctx, { source: 'course', objectId: id, urls })
}

const checkInstructor = async (db: Db, id: number | null | undefined): Promise<void> => {
  if (id && !(await isActiveUser(db, [id]))) throw invalidField('instructor_id', 'must be the id of an active member')
}

const requestedPrerequisites = ({ prerequisites, required_courses }: Fields): number[] | undefined =>
  prerequisites || required_courses ? readRequired([...(prerequisites ?? []), ...(required_courses ?? [])], 'prerequisites') : undefined

/** Sets the required courses and shows them on the lock screen. */
const setPrerequisites = async (ctx: WriteRequest, id: number, lockscreen: string, ids: readonly number[]): Promise<string> => {
  await setRequired(ctx, id, ids, 'prerequisites')
  const stored = JSON.stringify(withRequiredCourses(lockscreen, ids))
  await ctx.db.updateTable('courses').set({ lockscreen: stored }).where('id', '=', id).execute()
  return stored
}

/**
 * Creates a course; the caller is its instructor unless another is named.
 * @throws rest_forbidden, duplicate_slug, invalid_url, invalid_data
 */
export const createCourse = async (ctx: WriteRequest, body: BodyOf<typeof api.courses.create>) => {
  const { db, actor, now } = ctx
  await requireCourseCreator(ctx)
  const title = cleanTitle(body.title)
  const columns = plainColumns(body)
  const settings = body.settings ? mergeCourseSettings('{}', body.settings) : '{}'
  const instructorId = body.instructor_id === undefined ? actor.id : body.instructor_id
  await checkInstructor(db, instructorId)
  const slug = await courseSlugs.create(ctx, body.slug, title, body.privacy === 'secret')
  const { status = 'draft' } = columns
  const isPublished = status === 'published'
  const row = await db
    .insertInto('courses')
    .values({
      ...columns,
      title,
      slug,
      settings,
      status,
      category_id: await categoryNamed(db, body.category ?? null),
      instructor_id: instructorId,
      created_by: actor.id,
      position: await nextCoursePosition(db),
      created_at: now,
      updated_at: now,
      published_at: isPublished ? now : null,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  const ids = requestedPrerequisites(body)
  if (ids && ids.length > 0) await setPrerequisites(ctx, row.id, row.lockscreen, ids)
  await attachCourseMedia(ctx, row)
  await audit(ctx, 'course.created', { object_type: 'course', object_id: row.id, details: { title, privacy: row.privacy } })
  await ctx.emit('course.created', { course_id: row.id, user_id: actor.id })
  if (isPublished) await ctx.emit('course.published', { course_id: row.id })
  return { id: row.id, title, slug, status, created_at: now }
}

const claimChangedSlug = async (ctx: WriteRequest, { slug }: CourseFor, wanted: string | undefined): Promise<string> => {
  const next = wanted?.toLowerCase() || slug
  return next === slug ? slug : courseSlugs.claim(ctx, next)
}

/** @throws course_not_found, rest_forbidden, duplicate_slug, invalid_url, invalid_data */
export const updateCourse = async (ctx: WriteRequest, id: number, body: Fields) => {
  const { db, actor, now } = ctx
  const course = await lockedCourseFor(ctx, id, 'manage')
  const columns = plainColumns(body)
  const settings = body.settings ? mergeCourseSettings(course.settings, body.settings) : course.settings
  const instructorId = body.instructor_id === undefined ? course.instructor_id : body.instructor_id
  if (instructorId !== course.instructor_id) {
    if (!courseAbilities(actor, course).appoint)
      throw new ApiError('rest_forbidden', { message: 'You cannot choose the instructor of this course.' })
    await checkInstructor(db, instructorId)
  }
  const slug = await claimChangedSlug(ctx, course, body.slug)
  const status = columns.status ?? course.status
  const isFirst = status === 'published' && course.published_at === null
  await db
    .updateTable('courses')
    .set({
      ...columns,
      ...(body.category !== undefined && { category_id: await categoryNamed(db, body.category) }),
      slug,
      settings,
      instructor_id: instructorId,
      updated_at: now,
      ...(isFirst && { published_at: now }),
    })
    .where('id', '=', id)
    .execute()
  const ids = requestedPrerequisites(body)
  const lockscreen = ids ? await setPrerequisites(ctx, id, course.lockscreen, ids) : course.lockscreen
  await attachCourseMedia(ctx, { ...course, ...columns, settings, lockscreen })
  const { privacy } = columns
  const shown = privacy && privacy !== course.privacy ? { privacy, privacy_before: course.privacy } : {}
  await audit(ctx, 'course.updated', { object_type: 'course', object_id: id, details: { fields: Object.keys(body), ...shown } })
  if (isFirst) await ctx.emit('course.published', { course_id: id })
  return { id, title: columns.title ?? course.title, slug, status, updated_at: now }
}

/** @throws course_not_found, rest_forbidden, invalid_url, invalid_data */
export const saveLockscreen = async (ctx: WriteRequest, id: number, body: BodyOf<typeof api.adminCourses.saveLockscreens>) => {
  const course = await lockedCourseFor(ctx, id, 'manage')
  const merged = mergeLockscreen(course.lockscreen, body)
  const asked = requiredBy(merged)
  // Courses required earlier may have been deleted since.
  const ids = body.conditions === undefined ? await existingCourses(ctx.db, asked) : asked
  const config = ids.length < asked.length ? { ...merged, conditions: { ...merged.conditions, required_courses: ids } } : merged
  await setRequired(ctx, id, ids, 'conditions.required_courses')
  const lockscreen = JSON.stringify(config)
  await ctx.db.updateTable('courses').set({ lockscreen, updated_at: ctx.now }).where('id', '=', id).execute()
  await attachCourseMedia(ctx, { ...course, lockscreen })
  await audit(ctx, 'course.updated', { object_type: 'course', object_id: id, details: { fields: ['lockscreen'] } })
  return config
}

/** Deletes a course with its lessons and the progress of its students. @throws course_not_found, rest_forbidden */
export const removeCourse = async (ctx: WriteRequest, id: number): Promise<void> => {
  const { title, students_count } = await lockedCourseFor(ctx, id, 'manage')
  const talks = await courseDiscussions(ctx.db, [id])
  await ctx.db.deleteFrom('courses').where('id', '=', id).execute()
  await detachMedia(ctx, 'course', id)
  await emitDiscussionsDeleted(ctx, talks)
  await audit(ctx, 'course.deleted', { object_type: 'course', object_id: id, details: { title, students: students_count } })
  await ctx.emit('course.deleted', { course_id: id, user_id: ctx.actor.id })
}
