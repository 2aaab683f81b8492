import type { WriteRequest } from '../../core/context.ts'
import { attachMedia } from '../media/index.ts'
import type { CourseFor } from './course-row.ts'

type Holding = Pick<CourseFor, 'id' | 'logo' | 'cover_photo' | 'featured_image' | 'description' | 'content' | 'settings' | 'lockscreen'>

/** Ties the uploaded files that a course refers to anywhere to it, and lets go of the others. */
export const attachCourseMedia = (ctx: WriteRequest, course: Holding): Promise<void> => {
  const { id, logo, cover_photo, featured_image, description, content, settings, lockscreen } = course
  const urls = [logo, cover_photo, featured_image, description, content, settings, lockscreen]
  return attachMedia(ctx, { source: 'course', objectId: id, urls })
}
