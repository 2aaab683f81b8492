/** What a strict reader of an answer expects. `?`: the field may be null; a name that ends with `?`: it may be absent. */
export type Shape = string | readonly [Shape] | readonly [Shape, 'or none'] | { readonly [name: string]: Shape }

const KINDS: Readonly<Record<string, (value: unknown) => boolean>> = {
  int: Number.isInteger,
  /** A whole number as PHP reads it from a database. */
  digits: (value) => typeof value === 'string' && /^\d+$/.test(value),
  num: (value) => typeof value === 'number',
  str: (value) => typeof value === 'string',
  bool: (value) => typeof value === 'boolean',
  flag: (value) => value === 0 || value === 1,
  yesno: (value) => value === 'yes' || value === 'no',
  time: (value) => typeof value === 'string' && /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/.test(value),
  url: (value) => typeof value === 'string' && /^https?:\/\//.test(value),
  obj: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  list: Array.isArray,
}

const kindOf = (value: unknown) => (value === null ? 'null' : Array.isArray(value) ? 'list' : typeof value)

/** Where a value differs from its shape, with what is there instead. Fields that the shape does not name are ignored. */
export const differences = (value: unknown, shape: Shape, path = '$'): string[] => {
  if (typeof shape === 'string') {
    const [kind = '', nullable] = shape.split('?', 2) as [string, string?]
    if (value === null && nullable !== undefined) return []
    const fits = KINDS[kind]
    if (!fits) throw new Error(`there is no kind ${kind}`)
    return fits(value) ? [] : [`${path} should be ${shape}, is ${kindOf(value)} ${JSON.stringify(value)?.slice(0, 60)}`]
  }
  if (Array.isArray(shape)) {
    if (!Array.isArray(value)) return [`${path} should be a list, is ${kindOf(value)}`]
    if (value.length === 0) return shape.length > 1 ? [] : [`${path} is empty, so nothing is known of its items`]
    return value.flatMap((item, i) => differences(item, shape[0] as Shape, `${path}[${i}]`))
  }
  if (!KINDS['obj']?.(value)) return [`${path} should be an object, is ${kindOf(value)}`]
  const record = value as Readonly<Record<string, unknown>>
  return Object.entries(shape).flatMap(([key, inner]) => {
    const name = key.replace(/\?$/, '')
    if (Object.hasOwn(record, name)) return differences(record[name], inner, `${path}.${name}`)
    return name === key ? [`${path}.${name} is missing`] : []
  })
}

// ---- records -----------------------------------------------------------------------------------------------

export const PERSON = {
  user_id: 'int',
  display_name: 'str',
  username: 'str',
  avatar: 'str',
  status: 'str',
  total_points: 'int',
  is_verified: 'flag',
  meta: { website: 'str', cover_photo: 'str', social_links: 'obj', short_description_rendered: 'str' },
  created_at: 'time',
  short_description: 'str',
  last_activity: 'str?',
  badge: 'obj?',
  permalink: 'url',
} as const

export const COMMENT = {
  id: 'int',
  user_id: 'digits',
  post_id: 'digits',
  parent_id: 'digits?',
  reactions_count: 'digits',
  message: 'str',
  message_rendered: 'str',
  meta: 'obj',
  type: 'str',
  content_type: 'str',
  status: 'str',
  is_sticky: 'flag',
  created_at: 'time',
  updated_at: 'time',
  xprofile: PERSON,
  'liked?': 'int',
} as const

export const REACTION = {
  id: 'int',
  user_id: 'digits',
  object_id: 'digits',
  object_type: 'str',
  'parent_id?': 'digits?',
  type: 'str',
  created_at: 'time',
  xprofile: { user_id: 'int', display_name: 'str', avatar: 'str', badge: 'obj?', permalink: 'url' },
} as const

export const FEED = {
  id: 'int',
  user_id: 'digits',
  space_id: 'digits?',
  parent_id: 'int?',
  title: 'str',
  slug: 'str',
  message: 'str',
  message_rendered: 'str',
  type: 'str',
  content_type: 'str',
  privacy: 'str',
  status: 'str',
  featured_image: 'str?',
  meta: 'obj',
  is_sticky: 'flag',
  priority: 'int',
  comments_count: 'int',
  reactions_count: 'int',
  expired_at: 'str?',
  scheduled_at: 'str?',
  created_at: 'time',
  updated_at: 'time',
  permalink: 'url',
  xprofile: PERSON,
  'space?': { id: 'int', title: 'str', slug: 'str', type: 'str', settings: 'obj' },
  comments: [COMMENT, 'or none'],
  reactions: [REACTION, 'or none'],
  terms: [{ id: 'int', title: 'str', slug: 'str', taxonomy_name: 'str', pivot: { post_id: 'digits', term_id: 'digits' } }, 'or none'],
  has_user_react: 'bool',
  user_reaction_type: 'str?',
  bookmarked: 'bool',
  default_comment_sort_by: 'str',
} as const

export const pageOf = (item: Shape) => ({
  data: [item] as const,
  current_page: 'int',
  per_page: 'int',
  from: 'int?',
  to: 'int?',
  total: 'int',
  last_page: 'int',
  path: 'url',
  first_page_url: 'url',
  last_page_url: 'url',
  next_page_url: 'str?',
  prev_page_url: 'str?',
  links: [{ url: 'str?', label: 'str', active: 'bool' }] as const,
})

export const SPACE = {
  id: 'int',
  created_by: 'digits?',
  parent_id: 'digits?',
  title: 'str',
  slug: 'str',
  logo: 'str',
  cover_photo: 'str',
  description: 'str',
  description_rendered: 'str',
  type: 'str',
  privacy: 'str',
  status: 'str',
  serial: 'digits',
  settings: 'obj',
  members_count: 'int',
  created_at: 'time',
  updated_at: 'time',
  permissions: 'obj',
} as const

export const LESSON = {
  id: 'int',
  title: 'str',
  slug: 'str',
  content: 'str',
  course_id: 'digits',
  section_id: 'digits',
  content_type: 'str',
  featured_image: 'str?',
  meta: {
    is_video_gated: 'bool',
    passing_score: 'int',
    media: 'obj',
    enable_comments: 'yesno',
    document_lists: 'list',
    free_preview_lesson: 'yesno',
    video_length: 'int',
  },
  comments_count: 'int',
  is_locked: 'bool',
  unlock_date: 'str',
  lock_type: 'str',
  can_view: 'bool',
  lazy_load: 'bool',
} as const

export const COURSE = {
  id: 'int',
  created_by: 'digits?',
  parent_id: 'int?',
  title: 'str',
  slug: 'str',
  description: 'str',
  logo: 'str',
  cover_photo: 'str',
  type: 'str',
  privacy: 'str',
  status: 'str',
  serial: 'digits',
  settings: 'obj',
  sectionsCount: 'int',
  lessonsCount: 'int',
  studentsCount: 'int',
  created_at: 'time',
  updated_at: 'time',
} as const

export const TRACK = { completed_lessons: 'list', isEnrolled: 'bool', progress: 'int' } as const

export const OUTLINE = {
  course: {
    ...COURSE,
    is_course_admin: 'bool',
    can_self_enroll: 'bool',
    creator: { ...PERSON, id: 'digits', short_description_rendered: 'str', total_courses: 'int', updated_at: 'time' },
  },
  sections: [
    {
      id: 'int',
      title: 'str',
      slug: 'str',
      type: 'str',
      is_locked: 'bool',
      unlock_date: 'str',
      lessons: [LESSON],
      created_at: { date: 'str', timezone_type: 'int', timezone: 'str' },
    },
  ],
  track: TRACK,
} as const

export const NOTIFICATION = {
  id: 'int',
  action: 'str',
  title: 'str',
  content: 'str',
  feed_id: 'int?',
  object_id: 'int',
  src_user_id: 'int',
  src_object_type: 'str',
  route: { name: 'str', params: 'obj' },
  created_at: 'time',
  updated_at: 'time',
  xprofile: PERSON,
  subscriber: { id: 'int', is_read: 'str', object_id: 'int', user_id: 'int', created_at: 'time' },
} as const

export const PROFILE = {
  user_id: 'int',
  is_verified: 'flag',
  display_name: 'str',
  username: 'str',
  avatar: 'str',
  has_custom_avatar: 'bool',
  cover_photo: 'str',
  headline: 'str',
  total_points: 'int',
  badge_slugs: 'list',
  status: 'str',
  is_restricted: 'bool',
  canViewUserSpaces: 'bool',
  last_activity: 'str?',
  website: 'str',
  created_at: 'time',
  social_links: 'obj',
  compilation_score: 'int',
  short_description: 'str',
  short_description_rendered: 'str',
  first_name: 'str',
  last_name: 'str',
  email: 'str',
  can_change_username: 'bool',
  can_change_email: 'bool',
  can_change_password: 'bool',
  profile_navs: 'list',
  profile_nav_actions: 'list',
} as const

export const USER = { ID: 'int', user_login: 'str', display_name: 'str', photo: 'str' } as const
