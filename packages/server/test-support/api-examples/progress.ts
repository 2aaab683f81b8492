import type { Recording } from './recording.ts'

export const progress: Recording = async ({ anonymous, runPendingJobs }, { ines, ben, mara }) => {
  const { data: course } = await ines.api.courses.create({ title: 'Pruning roses', description: 'When, where, how.', status: 'published' })
  const { id: course_id } = course
  const section_id = (await ines.api.courseSections.create({ course_id, title: 'Winter' })).data.id
  const ids: number[] = []
  for (const title of ['Tools', 'The cut']) {
    const { data } = await ines.api.adminLessons.create({ course_id, title, type: 'lesson', section_id })
    await ines.api.lessons.update({ course_id, lesson_id: data.id, status: 'published' })
    ids.push(data.id)
  }
  const [tools = 0, cut = 0] = ids
  await mara.api.courses.enroll({ course_id })
  await ben.api.courses.enroll({ course_id })
  await mara.show().progress.complete({ course_id, lesson_id: tools })
  await mara.show().progress.get({ course_id })
  await mara.show().progress.incomplete({ course_id, lesson_id: tools })
  await mara.show().progress.setCompletion({ course_id, lesson_id: tools, state: 'completed' })
  await mara.api.progress.complete({ course_id, lesson_id: cut })
  const { data } = await mara.show().progress.certificate({ course_id })
  await anonymous.show().certificates.check({ code: data.certificate_id })
  await ben.show().progress.reset({ course_id })
  await ines.show().progress.resetStudent({ course_id, user_id: ben.id })
  await runPendingJobs()
}
