import { type Route, route } from '../route.ts'
import { Datetime, FlagInput, Id, Message, named, nullable, oneOf, Pagination, paging, pathId, spaceFilter } from '../shapes/common.ts'
import { Type } from '../typebox.ts'

const TOPIC_STATUSES = ['active', 'inactive'] as const
export const TOPIC_STYLES = ['badge', 'tag', 'label'] as const

/** Maximum length of title, slug and icon in characters, and of the description in bytes of UTF-8. */
export const TOPIC_TITLE_LENGTH = 100
export const TOPIC_SLUG_LENGTH = 100
export const TOPIC_ICON_LENGTH = 500
export const TOPIC_DESCRIPTION_BYTES = 5000
/** Maximum number of topics of a feed, regardless of the settings. */
export const TOPICS_PER_POST = 50

const AdminOnly = oneOf(['yes', 'no'], { description: 'Whether only moderators can use the topic.' })

const shown = {
  id: Id,
  title: Type.String(),
  slug: Type.String(),
  description: Type.String(),
  color: Type.String({ description: 'Color as #rrggbb or #rgb; may be empty.' }),
  icon: Type.String({ description: 'CSS class, emoji or URL of the icon; may be empty.' }),
  parent_id: nullable(Id),
  serial: Type.Integer({ description: 'Position in the list of topics.' }),
  admin_only: AdminOnly,
}

const record = {
  ...shown,
  posts_count: Type.Integer({ minimum: 0, description: 'Number of listed feeds with this topic.' }),
  status: oneOf(TOPIC_STATUSES),
  everywhere: Type.Boolean({ description: 'Whether the topic is available everywhere; otherwise only in the spaces of `space_ids`.' }),
  space_ids: Type.Array(Id, { description: 'Ids of the spaces in which the topic is available; empty if it is available everywhere.' }),
  created_at: Datetime,
  updated_at: Datetime,
}

export const Topic = named('Topic', record)
const Answer = Type.Object({ ...record, message: Type.String() })

/** A topic to choose for a feed. */
export const TopicOption = named('TopicOption', {
  ...shown,
  space_ids: Type.Array(Id, { description: 'Ids of the spaces in which the topic is available, if the caller can see them.' }),
  created_at: Datetime,
  updated_at: Datetime,
})

const config = {
  enabled: Type.Boolean(),
  required_for_posts: Type.Boolean({ description: 'Whether a feed needs a topic if its author can choose one.' }),
  allow_multiple: Type.Boolean(),
  max_topics_per_post: Type.Integer({ minimum: 1, maximum: TOPICS_PER_POST }),
  max_topics_per_space: Type.Integer({ minimum: 1, maximum: 1000 }),
  user_can_create: Type.Boolean(),
  display_on_feed: Type.Boolean(),
  display_style: oneOf(TOPIC_STYLES),
}
const ConfigInput = Type.Object({
  enabled: Type.Optional(FlagInput),
  required_for_posts: Type.Optional(FlagInput),
  allow_multiple: Type.Optional(FlagInput),
  max_topics_per_post: Type.Optional(config.max_topics_per_post),
  max_topics_per_space: Type.Optional(config.max_topics_per_space),
  user_can_create: Type.Optional(FlagInput),
  display_on_feed: Type.Optional(FlagInput),
  display_style: Type.Optional(config.display_style),
})

export const TopicConfig = named('TopicConfig', config)

const title = Type.String({ minLength: 1, maxLength: TOPIC_TITLE_LENGTH })
const color = nullable(Type.String({ pattern: '^(#([0-9A-Fa-f]{3}|[0-9A-Fa-f]{6}))?$', description: 'Color as #rrggbb or #rgb.' }))
const description = nullable(Type.String({ description: `The description, at most ${TOPIC_DESCRIPTION_BYTES} bytes.` }))
const icon = nullable(Type.String({ maxLength: TOPIC_ICON_LENGTH }))

const writable = {
  title: Type.Optional(title),
  slug: Type.Optional(
    nullable(
      Type.String({
        maxLength: TOPIC_SLUG_LENGTH,
        pattern: '^[A-Za-z0-9_-]*$',
        description: 'The unique slug; default: generated from the title.',
      }),
    ),
  ),
  description: Type.Optional(description),
  color: Type.Optional(color),
  icon: Type.Optional(icon),
  parent_id: Type.Optional(nullable(Type.Integer({ ...Id, minimum: 0, description: 'Id of a top-level topic; null or 0 for none.' }))),
  status: Type.Optional(oneOf(TOPIC_STATUSES)),
  serial: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 1_000_000, description: 'Position in the list; the topics from this position on move down.' }),
  ),
  admin_only: Type.Optional(
    Type.Unsafe<boolean | 0 | 1 | 'yes' | 'no'>({ type: ['boolean', 'integer', 'string'], enum: [true, false, 0, 1, 'yes', 'no'] }),
  ),
  space_ids: Type.Optional(
    nullable(Type.Array(Id, { maxItems: 1000, description: 'Ids of the spaces in which the topic is available; empty for everywhere.' })),
  ),
}

const administered = { access: 'admin', feature: 'topics' } as const satisfies Partial<Route>
const topicId = pathId('topic_id')
const search = Type.Optional(Type.String({ maxLength: 200, description: 'Only topics whose title or description contains this text.' }))

/** Topics for members. */
export const topics = {
  list: route({
    method: 'GET',
    path: '/topics',
    access: 'member',
    feature: 'topics',
    summary: 'List available topics',
    query: Type.Object({
      ...paging(100),
      ...spaceFilter('Only topics that are available in this space.'),
      search,
    }),
    response: Type.Object({ topics: Type.Array(TopicOption), pagination: Pagination, config: TopicConfig }),
    errors: ['space_not_found'],
  }),
  create: route({
    method: 'POST',
    path: '/topics',
    access: 'member',
    feature: 'topics',
    summary: 'Create a topic as a member',
    body: Type.Object({ title, description: Type.Optional(description), color: Type.Optional(color), icon: Type.Optional(icon) }),
    response: Type.Object({ message: Type.String(), topic: TopicOption }),
    status: 201,
    errors: ['duplicate_slug', 'invalid_url', 'rest_forbidden'],
  }),
} as const

export const adminTopics = {
  list: route({
    method: 'GET',
    path: '/admin/topics',
    ...administered,
    summary: 'List all topics',
    query: Type.Object({
      ...paging(50),
      status: Type.Optional(oneOf(TOPIC_STATUSES)),
      parent_id: Type.Optional(Type.Integer({ ...Id, minimum: 0, description: 'Only subtopics of this topic; 0 for top-level topics.' })),
      space_id: Type.Optional(Type.Integer({ ...Id, description: 'Only topics that are available in this space.' })),
      search,
    }),
    response: Type.Object({ topics: Type.Array(Topic), pagination: Pagination }),
  }),
  create: route({
    method: 'POST',
    path: '/admin/topics',
    ...administered,
    summary: 'Create or update a topic',
    description: 'With `id`, the topic is updated and the response is 200; only the fields that are sent change.',
    body: Type.Object({
      ...writable,
      title,
      id: Type.Optional(nullable(Type.Integer({ ...Id, minimum: 0, description: 'Id of the topic to update; null or 0 to create one.' }))),
    }),
    response: Answer,
    status: 201,
    alternateStatus: 200,
    errors: ['duplicate_slug', 'invalid_url', 'not_found'],
  }),
  update: route({
    method: 'PUT',
    path: '/admin/topics/{topic_id}',
    ...administered,
    summary: 'Update a topic',
    params: topicId,
    body: Type.Object(writable),
    response: Answer,
    errors: ['not_found', 'duplicate_slug', 'invalid_url'],
  }),
  remove: route({
    method: 'DELETE',
    path: '/admin/topics/{topic_id}',
    ...administered,
    summary: 'Delete a topic',
    params: topicId,
    response: Message,
    errors: ['not_found'],
  }),
  config: route({
    method: 'GET',
    path: '/admin/topics/config',
    ...administered,
    summary: 'Get the topic settings',
    response: TopicConfig,
  }),
  saveConfig: route({
    method: 'POST',
    path: '/admin/topics/config',
    ...administered,
    summary: 'Update the topic settings',
    body: ConfigInput,
    wrapper: 'config',
    response: Type.Object({ ...config, message: Type.String() }),
  }),
} as const
