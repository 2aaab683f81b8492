import type { CourseDetail } from '../courses/queries.ts'

export const LEVELS = ['beginner', 'intermediate', 'advanced'] as const
export const STATUSES = ['draft', 'published', 'archived'] as const
export const PRIVACIES = ['public', 'private', 'secret'] as const
export const TYPES = ['self_paced', 'structured', 'scheduled'] as const
export const SWITCHES = [
  'sequential_lesson_order',
  'public_lesson_view',
  'disable_comments',
  'hide_members_count',
  'hide_instructor_view',
] as const

export const startOf = ({
  title,
  slug,
  description,
  content,
  cover_photo,
  status,
  privacy,
  course_type,
  category,
  difficulty,
  duration,
  settings,
  prerequisites,
}: CourseDetail) => ({
  title,
  slug,
  description,
  content,
  cover_photo,
  status,
  privacy,
  course_type,
  category,
  difficulty,
  duration,
  emoji: settings.emoji,
  required: prerequisites.map(({ id, title: name }) => ({ id, title: name })),
  ...(Object.fromEntries(SWITCHES.map((name) => [name, settings[name] === 'yes'] as const)) as Record<(typeof SWITCHES)[number], boolean>),
})

export type SettingsDraft = ReturnType<typeof startOf>
