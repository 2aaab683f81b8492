import { fieldPart, filePart, form } from '#test/media.ts'
import { PDF } from '#test/valid-bodies.ts'

/** The caller. The other member must not access what belongs to the owner; nobody has no credentials. */
export type Person = 'administrator' | 'owner' | 'other' | 'nobody'

export interface Said {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: the response type depends on the operation
  readonly body: any
}

export type Ask = (
  person: Person,
  method: string,
  path: string,
  body?: unknown,
  headers?: Readonly<Record<string, string>>,
) => Promise<Said>

export interface Thing {
  readonly kind: string
  readonly id: number
  /** The path parameters by name. */
  readonly named: Readonly<Record<string, string | number>>
  readonly parent?: Thing
  gone: boolean
  /** Other people may see it now. */
  open: boolean
}

export interface Kind {
  readonly name: string
  readonly table: string
  /** Parameters that identify it, in paths with this prefix. */
  readonly parameters: readonly string[]
  readonly below?: string
  /** The column that refers to its owner or parent. */
  readonly belongs?: string
  readonly parent?: string
  /** It remains when its parent is deleted. */
  readonly outlives?: true
  /** Who creates, uses and deletes it. */
  readonly by: 'administrator' | 'owner'
  make(ask: Ask, parent: Thing | undefined, mark: number, owner: number): Promise<Said>
  /** The list of the caller's objects of this kind. */
  readonly list?: string
  readonly remove?: string
}

const SURVEY = { question: 'Q', options: ['a', 'b'].map((slug) => ({ slug, label: slug })) }
const KEYS = {
  p256dh: 'BA8btVObzPTDjZZXP_sbnm3d93K8SzS5c0WydInZuYHL4jPOnQpCshmmKIkrahewbWaMf1Dt-xY3xO0mJ9yNvqI',
  auth: 'tBHItJI5svbpez7KI4CCXg',
}

/** What sequences create: all of it inaccessible to the other member, in a secret space, unpublished, or private to its owner. */
export const KINDS: readonly Kind[] = [
  {
    name: 'space',
    table: 'spaces',
    parameters: ['space_id', 'space_slug'],
    by: 'administrator',
    make: async (ask, _parent, mark, owner) => {
      const made = await ask('administrator', 'POST', '/spaces', { title: `Space ${mark}`, privacy: 'secret' })
      if (made.status === 201) await ask('administrator', 'POST', `/spaces/${made.body.data.slug}/members`, { user_id: owner })
      return made
    },
    remove: '/spaces/{space_id}/by-id',
  },
  {
    name: 'feed',
    table: 'feeds',
    parameters: ['feed_id', 'feed_slug'],
    belongs: 'space_id',
    parent: 'space',
    by: 'owner',
    make: (ask, parent, mark) =>
      ask('owner', 'POST', '/feeds', { title: `Feed ${mark}`, message: 'A feed', space_id: parent?.id, meta: { survey: SURVEY } }),
    remove: '/feeds/{feed_id}',
  },
  {
    name: 'comment',
    table: 'comments',
    parameters: ['comment_id'],
    belongs: 'post_id',
    parent: 'feed',
    by: 'owner',
    make: (ask, parent) => ask('owner', 'POST', `/feeds/${parent?.id}/comments`, { comment: 'A comment' }),
    list: '/feeds/{feed_id}/comments',
    remove: '/feeds/{feed_id}/comments/{comment_id}',
  },
  {
    name: 'reaction',
    table: 'reactions',
    parameters: ['reaction_id'],
    belongs: 'object_id',
    parent: 'feed',
    by: 'owner',
    make: (ask, parent) => ask('owner', 'POST', `/feeds/${parent?.id}/react`, { type: 'love' }),
    list: '/feeds/{feed_id}/reactions',
    remove: '/reactions/{reaction_id}',
  },
  {
    name: 'draft',
    table: 'feeds',
    parameters: ['feed_id', 'feed_slug'],
    by: 'owner',
    make: (ask, _parent, mark) => ask('owner', 'POST', '/feeds', { title: `Draft ${mark}`, message: 'Not yet', status: 'draft' }),
    remove: '/feeds/{feed_id}',
  },
  {
    name: 'scheduled feed',
    table: 'feeds',
    parameters: ['feed_id', 'feed_slug'],
    by: 'owner',
    make: (ask, _parent, mark) =>
      ask('owner', 'POST', '/feeds', { message: `Later ${mark}`, status: 'scheduled', scheduled_at: '2040-01-01 00:00:00' }),
    list: '/scheduled-posts',
    remove: '/feeds/{feed_id}',
  },
  {
    name: 'report',
    table: 'reports',
    parameters: ['report_id'],
    belongs: 'object_id',
    parent: 'feed',
    outlives: true,
    by: 'administrator',
    make: (ask, parent) =>
      ask('administrator', 'POST', '/moderation/report', { object_id: parent?.id, object_type: 'feed', reason: 'spam' }),
    list: '/moderation/reports',
    remove: '/moderation/reports/{report_id}',
  },
  {
    name: 'file',
    table: 'media',
    parameters: ['media_id'],
    by: 'owner',
    make: (ask) => {
      const { type, bytes } = form([fieldPart('object_source', 'feed'), filePart(PDF, 'file', 'notes.pdf')])
      return ask('owner', 'POST', '/feeds/media-upload', bytes, { 'content-type': type })
    },
    remove: '/media/{media_id}',
  },
  {
    name: 'application password',
    table: 'application_passwords',
    parameters: ['id'],
    below: '/account/',
    belongs: 'user_id',
    by: 'owner',
    make: (ask, _parent, mark) => ask('owner', 'POST', '/account/application-passwords', { name: `phone ${mark}` }),
    list: '/account/application-passwords',
    remove: '/account/application-passwords/{id}',
  },
  {
    name: 'device',
    table: 'push_subscriptions',
    parameters: ['id'],
    below: '/push/',
    belongs: 'user_id',
    by: 'owner',
    make: (ask, _parent, mark) => ask('owner', 'POST', '/push/subscriptions', { endpoint: `https://push.example/${mark}`, keys: KEYS }),
    list: '/push/subscriptions',
    remove: '/push/subscriptions/{id}',
  },
  {
    name: 'archive',
    table: 'data_exports',
    parameters: ['export_id'],
    by: 'owner',
    make: (ask) => ask('owner', 'POST', '/account/export'),
    list: '/account/exports',
  },
  {
    name: 'webhook',
    table: 'webhooks',
    parameters: ['webhook_id'],
    by: 'administrator',
    make: (ask, _parent, mark) =>
      ask('administrator', 'POST', '/admin/webhooks', {
        name: `Hook ${mark}`,
        url: 'https://93.184.215.14/',
        events: ['feed.deleted'],
        status: 'inactive',
      }),
    list: '/admin/webhooks',
    remove: '/admin/webhooks/{webhook_id}',
  },
  {
    name: 'topic',
    table: 'topics',
    parameters: ['topic_id'],
    by: 'administrator',
    make: (ask, _parent, mark) => ask('administrator', 'POST', '/admin/topics', { title: `Topic ${mark}` }),
    remove: '/admin/topics/{topic_id}',
  },
  {
    name: 'group',
    table: 'space_groups',
    parameters: ['group_id'],
    by: 'administrator',
    make: (ask, _parent, mark) => ask('administrator', 'POST', '/spaces/space_groups', { title: `Group ${mark}` }),
    remove: '/spaces/space_groups/{group_id}',
  },
  {
    name: 'course',
    table: 'courses',
    parameters: ['course_id', 'course_slug'],
    by: 'administrator',
    make: (ask, _parent, mark) => ask('administrator', 'POST', '/courses', { title: `Course ${mark}`, description: 'A course' }),
    remove: '/courses/{course_id}',
  },
  {
    name: 'section',
    table: 'course_sections',
    parameters: ['section_id'],
    belongs: 'course_id',
    parent: 'course',
    by: 'administrator',
    make: (ask, parent, mark) => ask('administrator', 'POST', `/admin/courses/${parent?.id}/sections`, { title: `Section ${mark}` }),
    list: '/admin/courses/{course_id}/sections',
    remove: '/admin/courses/{course_id}/sections/{section_id}',
  },
  {
    name: 'lesson',
    table: 'lessons',
    parameters: ['lesson_id', 'lesson_slug'],
    belongs: 'section_id',
    parent: 'section',
    by: 'administrator',
    make: (ask, parent, mark) =>
      ask('administrator', 'POST', `/admin/courses/${parent?.parent?.id}/lessons`, {
        title: `Lesson ${mark}`,
        type: 'lesson',
        section_id: parent?.id,
      }),
    list: '/courses/{course_id}/lessons',
    remove: '/courses/{course_id}/lessons/{lesson_id}',
  },
]

/** A body that names a child, for a path that names a parent: the operation must check that they belong together. */
export const IN_BODY: readonly {
  readonly operation: string
  readonly kind: string
  body(child: number, parent: number): object
}[] = [
  { operation: 'comments.create', kind: 'comment', body: (parent_id) => ({ comment: 'A reply', parent_id }) },
  { operation: 'adminLessons.create', kind: 'section', body: (section_id) => ({ title: 'Strange', type: 'lesson', section_id }) },
  { operation: 'adminLessons.move', kind: 'lesson', body: (lesson_id) => ({ lesson_id, section_id: 1 }) },
  { operation: 'lessons.reorder', kind: 'lesson', body: (lesson_id) => ({ lesson_ids: [lesson_id] }) },
  { operation: 'courseCopies.section', kind: 'section', body: (section_id, from_course_id) => ({ section_id, from_course_id }) },
]
