import { ARCHIVE_KINDS, type ArchiveKind, type ArchiveRecord } from '@lyceum/contract/archive'
import type { Source } from '@lyceum/importers'

export type Records = { readonly [K in ArchiveKind]: readonly ArchiveRecord<K>[] }

/** All records of a source; fails for a row that cannot be read. */
export const recordsOf = async (source: Source): Promise<Records> => {
  const all: Partial<Record<ArchiveKind, unknown>> = {}
  for (const kind of ARCHIVE_KINDS) {
    const entries = await Array.fromAsync(source.read(kind))
    for (const entry of entries) if ('unreadable' in entry) throw new Error(`${kind} ${entry.unreadable.id}: ${entry.unreadable.reason}`)
    all[kind] = entries
  }
  return all as Records
}

/** The fields that name records, with the kind of these. */
const REFERENCES: { readonly [K in ArchiveKind]?: Readonly<Record<string, ArchiveKind>> } = {
  people: { avatar: 'media', cover_photo: 'media', managed_spaces: 'spaces' },
  media: { owner: 'people' },
  spaces: { group: 'space_groups', logo: 'media', cover_photo: 'media', created_by: 'people', 'settings.links.membership_ids': 'spaces' },
  memberships: { space: 'spaces', person: 'people' },
  topics: { spaces: 'spaces', parent: 'topics' },
  posts: { author: 'people', space: 'spaces', topics: 'topics', featured_image: 'media', media: 'media' },
  survey_votes: { post: 'posts', person: 'people' },
  courses: {
    category: 'course_categories',
    instructor: 'people',
    created_by: 'people',
    prerequisites: 'courses',
    featured_image: 'media',
    logo: 'media',
    cover_photo: 'media',
  },
  course_sections: { course: 'courses' },
  lessons: { course: 'courses', section: 'course_sections' },
  enrolments: { course: 'courses', person: 'people', added_by: 'people', last_lesson: 'lessons' },
  lesson_completions: { lesson: 'lessons', person: 'people' },
  quiz_attempts: { lesson: 'lessons', person: 'people', graded_by: 'people' },
  comments: { post: 'posts', lesson: 'lessons', author: 'people', parent: 'comments', helpful_by: 'people', media: 'media' },
  reactions: { person: 'people', post: 'posts', comment: 'comments' },
  bookmarks: { person: 'people', post: 'posts' },
  follows: { follower: 'people', following: 'people' },
  reports: { reporter: 'people', post: 'posts', comment: 'comments', person: 'people', moderator: 'people' },
}

const valuesAt = (value: unknown, path: readonly string[]): unknown[] => {
  if (Array.isArray(value)) return value.flatMap((item) => valuesAt(item, path))
  const [key, ...rest] = path
  if (key === undefined) return value === null || value === undefined ? [] : [value]
  return valuesAt((value as Record<string, unknown> | null | undefined)?.[key], rest)
}

/** References to records that are missing: kind, field, id. */
export const danglingIn = (records: Records): [ArchiveKind, string, unknown][] => {
  const ids = new Map(ARCHIVE_KINDS.map((kind) => [kind, new Set<unknown>(records[kind].map(({ id }) => id))]))
  return ARCHIVE_KINDS.flatMap((kind) =>
    Object.entries(REFERENCES[kind] ?? {}).flatMap(([field, target]) =>
      (records[kind] as readonly object[])
        .flatMap((record) => valuesAt(record, field.split('.')))
        .filter((id) => !ids.get(target)?.has(id))
        .map((id): [ArchiveKind, string, unknown] => [kind, field, id]),
    ),
  )
}
