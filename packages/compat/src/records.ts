import type { Fields } from './operations.ts'
import { isFields, listOf, table, without } from './values.ts'

/** Plain data of members or settings, which may look like anything. */
const UNTOUCHED = new Set(['meta', 'settings', 'answers', 'features', 'about', 'details'])

const flag = (value: unknown) => (value === true || value === 1 ? 1 : 0)

const address = (origin: string, username: unknown) =>
  typeof username === 'string' && username !== '' ? { permalink: `${origin}/u/${username}` } : {}

const escaped = (text: string) => text.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`)

const person = (record: Fields, origin: string): Fields => {
  const { meta, short_description, username } = record
  return {
    badge: null,
    ...record,
    ...(isFields(meta) && {
      last_activity: record['last_activity'] ?? null,
      meta: { headline: '', short_description_rendered: escaped(String(short_description ?? '')), ...meta },
    }),
    ...address(origin, username),
  }
}

/** A survey as `survey_config`. */
export const surveyConfig = (survey: unknown): Fields => {
  if (!isFields(survey)) return {}
  const voted = new Set(listOf(survey['voted']))
  return {
    survey_config: {
      type: survey['allow_multiple'] === true ? 'multi_choice' : 'single_choice',
      end_date: survey['end_date'] ?? '',
      options: listOf(survey['options'])
        .filter(isFields)
        .map(({ slug, label, votes }) => ({
          slug,
          label,
          vote_counts: votes ?? 0,
          ...(voted.has(slug) && { voted: true }),
        })),
    },
  }
}

const mediaItem = (item: unknown): Fields => {
  const media: Fields = isFields(item) ? item : { url: item }
  const kind = String(media['type'] ?? '')
  return { ...media, media_id: media['id'] ?? null, type: kind.startsWith('video') ? 'video' : 'image', provider: 'uploader' }
}

/** The one attachment that is shown as a preview: a GIF, a linked page, or a single image. */
const mediaPreview = (gif: unknown, preview: unknown, [item, ...others]: readonly Fields[]): Fields => {
  if (isFields(gif)) {
    const { url, width, height, title } = gif
    const shown = { image: url, url, type: 'image', provider: 'giphy', title: title ?? '', width: width ?? null, height: height ?? null }
    return { giphy: { id: gif['id'] ?? '', ...shown }, media_preview: shown }
  }
  if (isFields(preview))
    return { media_preview: { title: '', description: '', image: '', ...preview, type: 'meta_data', content_type: preview['type'] ?? '' } }
  if (!item || others.length > 0 || item['type'] !== 'image') return {}
  const { url, width, height, media_id } = item
  return {
    media_preview: {
      is_uploaded: true,
      image: url,
      type: 'meta_data',
      provider: 'uploader',
      width: width ?? null,
      height: height ?? null,
      media_id,
    },
  }
}

/** The attachments and the survey of a feed or comment in both forms. */
const metaOf = (meta: unknown): Fields => {
  if (!isFields(meta)) return {}
  const items = [...listOf(meta['media_items']), ...listOf(meta['media_images'])].map(mediaItem)
  return {
    ...meta,
    ...(items.length > 0 && { media_items: items }),
    ...mediaPreview(meta['gif'], meta['preview'], items),
    ...surveyConfig(meta['survey']),
    ...('comments_disabled' in meta && { comments_disabled: meta['comments_disabled'] === true ? 'yes' : 'no' }),
  }
}

const reaction = ({ has_user_react: type }: Fields): Fields => ({ has_user_react: Boolean(type), user_reaction_type: type ?? null })

const feed = (record: Fields): Fields => {
  const { space, ...rest } = record
  const id = record['id']
  return {
    ...rest,
    ...(isFields(space) && { space: { settings: {}, ...space } }),
    meta: metaOf(record['meta']),
    is_sticky: flag(record['is_sticky']),
    default_comment_sort_by: '',
    ...reaction(record),
    terms: listOf(record['terms'])
      .filter(isFields)
      .map((term) => ({ ...term, taxonomy_name: 'post_topic', pivot: { post_id: id, term_id: term['id'] } })),
    reactions: listOf(record['reactions'])
      .filter(isFields)
      .map((one) => ({ object_id: id, object_type: 'feed', parent_id: null, updated_at: one['created_at'], ...one })),
  }
}

const comment = (record: Fields): Fields => ({
  ...record,
  meta: metaOf(record['meta']),
  is_sticky: flag(record['is_sticky']),
  ...('has_user_react' in record && reaction(record)),
  ...(record['has_user_react'] ? { liked: 1 } : {}),
})

const NOTIFICATION_ACTIONS = table<string>({
  new_comment: 'comment_added',
  new_reply: 'child_comment_added',
  mention: 'mention_added',
  new_follower: 'user/followed',
  space_invite: 'space/member/role_updated',
})

/** Page of the portal that an address of the web app is. */
const routeOf = (url: string, origin: string): Fields => {
  const [path = '', search = ''] = url.replace(origin, '').split('?')
  const [first, second, third, fourth] = path.split('/').filter(Boolean).map(decodeURIComponent)
  const comment_id = new URLSearchParams(search).get('comment_id')
  const query = comment_id === null ? {} : { query: { comment_id } }
  if (first === 'spaces' && third === 'feeds') return { name: 'space_feed', params: { space: second, feed_slug: fourth }, ...query }
  if (first === 'feeds') return { name: 'single_feed', params: { feed_slug: second }, ...query }
  if (first === 'spaces') return { name: 'space_feeds', params: { space: second } }
  if (first === 'courses') return { name: 'course_lessons', params: { course_slug: second } }
  return first === 'u' ? { name: 'user_profile', params: { username: second } } : { name: 'all_feeds', params: {} }
}

const notification = (record: Fields, origin: string): Fields => {
  const { id, user_id, type, object_id, object_type, is_read, created_at, updated_at } = record
  return {
    ...record,
    feed_id: object_type === 'feed' ? object_id : null,
    src_user_id: record['actor_id'],
    src_object_type: object_type,
    action: type === 'new_reaction' ? `${object_type}/react_added` : (NOTIFICATION_ACTIONS[String(type)] ?? type),
    content: escaped(String(record['title'] ?? '')),
    route: routeOf(String(record['action_url'] ?? ''), origin),
    subscriber: {
      id,
      object_type: 'notification',
      notification_type: 'web',
      object_id: id,
      user_id,
      is_read: is_read === true ? '1' : '0',
      created_at,
      updated_at,
    },
  }
}

const membership = (record: Fields): Fields => ({ meta: {}, ...record, created_at: record['joined_at'] })

/** Lessons do not wait for their video, and quizzes only report whether they were passed. */
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

const lesson = (record: Fields): Fields => {
  const { title, type, video_url, resources, is_preview, section_id, order, content, lock_reason } = record
  const locked = record['is_locked'] === true
  return {
    ...record,
    content: content ?? '',
    message: content ?? '',
    parent_id: section_id,
    priority: order,
    content_type: type === 'quiz' ? 'quiz' : 'text',
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

const course = (record: Fields, origin: string): Fields => {
  const { permissions, instructor, instructor_id } = record
  const can: Fields = isFields(permissions) ? permissions : {}
  return {
    parent_id: null,
    ...record,
    permalink: `${origin}/courses/${record['slug']}`,
    is_course_admin: can['can_manage'] === true,
    can_self_enroll: can['can_self_enroll'] === true,
    creator: isFields(instructor)
      ? { user_id: instructor_id, short_description: instructor['bio'] ?? '', ...without(instructor, 'bio') }
      : null,
  }
}

const upload = (record: Fields): Fields => ({
  ...record,
  media_id: record['id'],
  media_key: String(record['id']),
  url: record['file_url'],
  type: String(record['file_type']).split('/')[0],
})

type Change = (record: Fields, origin: string) => Fields
/** Records by a field that only they have. */
const CHANGES: readonly (readonly [field: string, change: Change, besides?: string])[] = [
  ['comments_count', feed, 'message_rendered'],
  ['post_id', comment, 'message_rendered'],
  ['action_url', notification],
  ['joined_at', membership, 'space_id'],
  ['is_preview', lesson, 'is_completed'],
  ['studentsCount', course],
  ['file_url', upload, 'file_size'],
  ['display_name', person, 'avatar'],
]

/** An answer of Lyceum with the names and forms that clients of FluentCommunity read besides its own. */
export const adapt = (value: unknown, origin: string): unknown => {
  if (Array.isArray(value)) return value.map((item) => adapt(item, origin))
  if (!isFields(value)) return value
  const record = Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, UNTOUCHED.has(name) ? inner : adapt(inner, origin)]),
  )
  const found = CHANGES.find(([field, , besides = field]) => field in record && besides in record)
  return found ? found[1](record, origin) : record
}
