import type { Recording } from './recording.ts'

export const patches: Recording = async (_recorder, { ines, mara, yuki }) => {
  const { data: feed } = await ines.api.feeds.create({ title: 'Opening hours in winter', message: 'Ten to four, every day but Sunday.' })
  const { data: comment } = await mara.api.comments.create({ feed_id: feed.id, comment: 'And on holidays?' })
  await ines.show().feeds.patch({ feed_id: feed.id, is_sticky: true, comments_disabled: true })
  await ines.show().comments.patch({ feed_id: feed.id, comment_id: comment.id, is_sticky: true })
  await yuki.show().comments.all({ per_page: 2 })
  const { data: course } = await ines.api.courses.create({ title: 'Pruning', description: 'Cut at the right time.', status: 'published' })
  const section_id = (await ines.api.courseSections.create({ course_id: course.id, title: 'Apple trees' })).data.id
  const { data: lesson } = await ines.api.adminLessons.create({ course_id: course.id, title: 'Before winter', type: 'lesson', section_id })
  await ines.api.lessons.update({ course_id: course.id, lesson_id: lesson.id, content: '<p>Dead wood first.</p>', status: 'published' })
  await yuki.api.courses.enroll({ course_id: course.id })
  await yuki.show().lessons.bySlug({ course_slug: course.slug, lesson_slug: 'before-winter' })
}
