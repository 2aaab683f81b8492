import type { Recording } from './recording.ts'

export const quizzes: Recording = async (recorder, { ines, ben, yuki }) => {
  const { data: course } = await ines.api.courses.create({
    title: 'Pruning fruit trees',
    description: 'When to cut, where to cut, and when to leave it.',
    status: 'published',
  })
  const { id: course_id } = course
  const section_id = (await ines.api.courseSections.create({ course_id, title: 'Winter' })).data.id
  const { data: lesson } = await ines.api.adminLessons.create({ course_id, title: 'Where would you cut?', type: 'quiz', section_id })
  const at = { course_id, lesson_id: lesson.id }
  await ines.show('A quiz with a question that a person grades').lessons.update({
    ...at,
    status: 'published',
    quiz: {
      questions: [
        {
          id: 'when',
          type: 'multiple_choice',
          question: 'When is an apple tree pruned?',
          options: [
            { id: 'winter', text: 'In winter', is_correct: true },
            { id: 'spring', text: 'In spring' },
          ],
          explanation: 'While it rests.',
        },
        {
          id: 'plum',
          type: 'true_false',
          question: 'Plums are pruned in winter, too.',
          correct_answer: false,
          explanation: 'Silver leaf.',
        },
        { id: 'why', type: 'short_answer', question: 'Why is a cut made above a bud?', points: 2 },
      ],
      settings: { passing_score: 60, max_attempts: 3, time_limit: 1800 },
    },
  })
  await ben.api.courses.enroll({ course_id })
  await yuki.api.courses.enroll({ course_id })
  const { data: attempt } = await ben.show().quizzes.start(at)
  recorder.advance(240)
  await ben.show('Going on').quizzes.start(at)
  const { quiz_result } = await ben.show().quizzes.submit({
    ...at,
    attempt_id: attempt.id,
    answers: { when: 'winter', plum: 'true', why: 'So that the wound closes.' },
    time_spent: 240,
  })
  await yuki.api.quizzes.submit({ ...at, answers: { when: 'spring', plum: 'true', why: 'No idea.' }, time_spent: 30 })
  await ines.show().adminQuizzes.list({ course_id, lesson_id: lesson.id, orderby: 'score' })
  await ines.show().adminQuizzes.show({ course_id, quiz_id: quiz_result.id })
  await ines.show().adminQuizzes.grade({
    course_id,
    quiz_id: quiz_result.id,
    answers: { why: { points: 2, is_correct: true } },
    feedback: 'Well seen.',
  })
  await ben.show().quizzes.result(at)
}
