import type { Recording } from './recording.ts'

export const lessons: Recording = async (_recorder, { ines, ben }) => {
  const { data: course } = await ines.api.courses.create({
    title: 'Composting from scratch',
    description: 'From kitchen scraps to dark earth.',
    status: 'published',
    settings: { sequential_lesson_order: 'yes' },
  })
  const { id: course_id } = course
  const section_id = (await ines.api.courseSections.create({ course_id, title: 'The heap' })).data.id
  const { data: first } = await ines.show().adminLessons.create({ course_id, title: 'What goes in', type: 'lesson', section_id })
  await ines.show('Publish').lessons.update({
    course_id,
    lesson_id: first.id,
    content: '<p>Green and brown, in layers.</p>',
    duration: '10 min',
    video_url: 'https://video.example/heap',
    resources: [{ title: 'Checklist', url: 'https://example.org/checklist.pdf' }],
    status: 'published',
  })
  const { data: second } = await ines.api.adminLessons.create({ course_id, title: 'What stays out', type: 'lesson', section_id })
  await ines.api.lessons.update({ course_id, lesson_id: second.id, content: '<p>No meat.</p>', status: 'published' })
  const { data: quiz } = await ines.api.adminLessons.create({ course_id, title: 'What have you learned?', type: 'quiz', section_id })
  await ines.show('Define a quiz').lessons.update({
    course_id,
    lesson_id: quiz.id,
    quiz: {
      questions: [
        {
          id: 'heap',
          type: 'multiple_choice',
          question: 'What goes on the heap?',
          options: [
            { id: 'leaves', text: 'Leaves', is_correct: true },
            { id: 'meat', text: 'Meat', is_correct: false },
          ],
          points: 1,
          explanation: 'Meat draws rats.',
        },
      ],
      settings: { passing_score: 60, max_attempts: 3 },
    },
  })
  await ben.api.courses.enroll({ course_id })
  await ben.show().lessons.list({ course_id })
  await ben.show().lessons.byId({ course_id, lesson_id: first.id })
  await ines.show('For those who run the course').lessons.byId({ course_id, lesson_id: quiz.id })
  const { data: copy } = await ines.show().adminLessons.duplicate({ course_id, lesson_id: second.id })
  const more = (await ines.api.courseSections.create({ course_id, title: 'The earth' })).data.id
  await ines.show().adminLessons.move({ course_id, lesson_id: copy.id, section_id: more })
  await ines.show().adminLessons.list({ course_id, section_id: more })
  await ines.show().lessons.reorder({ course_id, lesson_ids: [second.id, first.id, quiz.id, copy.id] })
  await ines.show().adminLessons.reorder({ course_id, section_id, indexes: { [first.id]: 1, [second.id]: 2 } })
  await ines.show().lessons.remove({ course_id, lesson_id: copy.id })
}
