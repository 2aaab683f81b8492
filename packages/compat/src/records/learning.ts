import type { Fields } from '../operations.ts'
import { isFields, listOf, numericTexts, table, without } from '../values.ts'
import { personById, wordpressUser } from './people.ts'
import { type Change, escaped, type Reader } from './reader.ts'

/** Lessons do not require watching the video, and quizzes do not require passing. */
const NO_GATES = {
  require_video_completion: 'no',
  video_completion_threshold: 0,
  auto_complete_on_video_end: 'no',
  is_video_gated: false,
  video_auto_complete: false,
  video_watched: false,
  enable_passing_score: 'no',
  passing_score: 0,
  enforce_passing_score: 'no',
  hide_result: 'no',
}

export const lesson: Change = (record) => {
  const { title, type, video_url, resources, is_preview, section_id, order, content, lock_reason } = record
  const locked = record['is_locked'] === true
  return {
    ...record,
    ...numericTexts(record, 'course_id', 'section_id'),
    content: content ?? '',
    message: content ?? '',
    parent_id: section_id === undefined ? null : String(section_id),
    priority: String(order),
    content_type: type === 'quiz' || record['is_quiz'] === true ? 'quiz' : 'text',
    featured_image: null,
    can_view: !locked,
    lazy_load: content === undefined,
    inline_css: '',
    lock_type: lock_reason === 'sequential' ? 'sequential' : '',
    unlock_date: record['unlock_date'] ?? '',
    comments_count: record['comments_count'] ?? 0,
    meta: {
      media: video_url
        ? { type: 'oembed', url: video_url, content_type: 'video', provider: '', title, html: '', image: '' }
        : { provider: '' },
      enable_comments: 'yes',
      enable_media: video_url ? 'yes' : 'no',
      document_lists: listOf(resources),
      document_ids: [],
      video_length: 0,
      ...NO_GATES,
      free_preview_lesson: is_preview === true ? 'yes' : 'no',
      ...quizMeta(record['quiz']),
    },
  }
}

const QUESTION_KINDS = table<string>({ multiple_select: 'multiple_choice', short_answer: 'written_answer' })

const quizMeta = (quiz: unknown): Fields => {
  if (!isFields(quiz) || !isFields(quiz['settings'])) return {}
  return {
    enable_passing_score: 'yes',
    passing_score: quiz['settings']['passing_score'],
    quiz_questions: listOf(quiz['questions'])
      .filter(isFields)
      .map((question) => ({
        slug: question['id'],
        type: QUESTION_KINDS[String(question['type'])] ?? 'single_choice',
        label: question['question'],
        help_text: '',
        enabled: 'yes',
        options: listOf(question['options'])
          .filter(isFields)
          .map(({ text, is_correct }) => ({ label: text, ...(is_correct !== undefined && { is_correct }) })),
      })),
  }
}

/** The instructor of a course, with the number of their courses. */
const creatorOf = ({ instructor, instructor_id, instructor_courses }: Fields, reader: Reader): Fields | null => {
  if (!isFields(instructor)) return null
  const known = personById(instructor_id, reader)
  const bio = instructor['bio'] ?? ''
  return {
    short_description: bio,
    ...without(instructor, 'bio'),
    ...known,
    id: String(instructor_id),
    user_id: instructor_id,
    short_description_rendered: escaped(String(bio)),
    total_courses: instructor_courses ?? 1,
    updated_at: known?.['last_activity'] ?? known?.['created_at'],
  }
}

export const course: Change = (record, reader) => {
  const { permissions, instructor_id, created_by } = record
  const can: Fields = isFields(permissions) ? permissions : {}
  const owner = personById(created_by ?? instructor_id, reader)
  return {
    parent_id: null,
    ...record,
    ...numericTexts(record, 'created_by', 'serial'),
    permalink: `${reader.origin}/courses/${record['slug']}`,
    is_course_admin: can['can_manage'] === true,
    can_self_enroll: can['can_self_enroll'] === true,
    creator: creatorOf(record, reader),
    owner: owner && wordpressUser(owner),
  }
}
