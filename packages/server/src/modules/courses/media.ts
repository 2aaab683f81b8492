import type { WriteRequest } from '../../core/context.ts'
import { attachMedia } from '../media/index.ts'
import type { CourseFor } from './course-row.ts'

type MediaFields = Pick<CourseFor, 'id' | 'logo' | 'cover_photo' | 'featured_image' | 'description' | 'content' | 'settings' | 'lockscreen'>

/** Attaches every uploaded file referenced by the course, and detaches all others. */
export const attachCourseMedia = (ctx: WriteRequest, course: MediaFields): Promise<void> => {
  const { id, logo, cover_photo, featured_image, description, content, settings, lockscreen } = course
  const urls = [logo, cover_photo, featured_image, description, content, settings, lockscreen]
  return attachMedia(ctx, { source: 'course', objectId: id, urls })
}
