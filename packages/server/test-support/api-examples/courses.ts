import type { Recording } from './recording.ts'

export const courses: Recording = async (recorder, { ines, ben, mara, yuki }) => {
  const { data: soil } = await ines.show().courses.create({
    title: 'Living soil',
    description: 'What a handful of earth is made of, and how to keep it alive.',
    content: '<p>Six weeks, one bed, and a <strong>jar of worms</strong>.</p>',
    status: 'published',
    category: 'Gardening',
    difficulty: 'beginner',
    duration: '6 weeks',
    settings: { emoji: '🪱', sequential_lesson_order: 'yes' },
  })
  const { data: seeds } = await ines.show('A course that asks for another').courses.create({
    title: 'Saving seeds',
    description: 'From the ripe fruit to the labelled bag.',
    difficulty: 'intermediate',
    prerequisites: [soil.id],
  })
  await ines.show().courses.update({ course_id: seeds.id, status: 'published', instructor_id: mara.id })
  await ines.show().adminCourses.saveLockscreens({
    course_id: seeds.id,
    enabled: true,
    type: 'prerequisite',
    conditions: { required_courses: [soil.id] },
    message: 'Learn about soil first.',
  })

  const { data: basics } = await ines.show().courseSections.create({ course_id: soil.id, title: 'What is in it' })
  const { data: compost } = await ines.api.courseSections.create({ course_id: soil.id, title: 'Compost' })
  await ines.show().courseSections.update({ course_id: soil.id, section_id: compost.id, title: 'Making compost', status: 'published' })
  await ines.show().courseSections.patch({ course_id: soil.id, section_id: compost.id, days_after: 7 })
  await ines.show().courseSections.byId({ course_id: soil.id, section_id: compost.id })
  await ines.show().courseSections.reorder({ course_id: soil.id, indexes: { [basics.id]: 1, [compost.id]: 2 } })
  await ines.show().courseCopies.section({ course_id: seeds.id, section_id: basics.id, from_course_id: soil.id })
  await ines.show().courseSections.list({ course_id: soil.id })
  const { data: spare } = await ines.api.courseSections.create({ course_id: soil.id, title: 'Left over' })
  await ines.show().courseSections.remove({ course_id: soil.id, section_id: spare.id })

  await ben.show().courses.enroll({ course_id: soil.id })
  recorder.advance(600)
  await ines.show().adminCourses.addStudent({ course_id: soil.id, user_id: yuki.id })
  await ben.show().courses.list({ search: 'soil' })
  await ben.show().courses.mine()
  await ben.show().courses.byId({ course_id: soil.id })
  await ben.show().courses.bySlug({ course_slug: seeds.slug })
  await ines.show().courses.students({ course_id: soil.id })
  await ines.show().adminCourses.students({ course_id: soil.id })
  await ines.show().adminCourses.removeStudent({ course_id: soil.id, user_id: yuki.id })
  await mara.api.courses.enroll({ course_id: soil.id })
  await mara.show().courses.unenroll({ course_id: soil.id })

  const { data: copy } = await ines.show().courseCopies.course({ course_id: soil.id })
  await ines.show().courses.remove({ course_id: copy.id })
}
