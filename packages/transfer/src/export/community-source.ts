import { ARCHIVE_KINDS, ARCHIVE_ORIGIN, type ArchiveKind, type ArchiveRecord } from '@lyceum/contract/archive'
import type { Entry, Source } from '@lyceum/importers'
import type { Db } from '../../../server/src/db/index.ts'
import type { Storage } from '../../../server/src/storage/index.ts'
import { createNeutralizer } from './addresses.ts'
import { createArchiveIds } from './archive-ids.ts'
import type { ExportContext, KindReader } from './context.ts'
import { comments } from './kinds/comments.ts'
import { courseCategories, courseSections, courses, lessons } from './kinds/courses.ts'
import { enrolments, lessonCompletions, quizAttempts } from './kinds/learning.ts'
import { media } from './kinds/media.ts'
import { people } from './kinds/people.ts'
import { posts, surveyVotes } from './kinds/posts.ts'
import { bookmarks, follows, reactions } from './kinds/reactions-and-bookmarks.ts'
import { reports } from './kinds/reports.ts'
import { memberships, spaceGroups, spaces, topics } from './kinds/spaces.ts'

const READERS: { readonly [K in ArchiveKind]: KindReader<K> } = {
  people,
  media,
  space_groups: spaceGroups,
  spaces,
  memberships,
  topics,
  posts,
  survey_votes: surveyVotes,
  course_categories: courseCategories,
  courses,
  course_sections: courseSections,
  lessons,
  enrolments,
  lesson_completions: lessonCompletions,
  quiz_attempts: quizAttempts,
  comments,
  reactions,
  bookmarks,
  follows,
  reports,
}

interface CommunityOptions {
  /** A snapshot of the database. */
  readonly db: Db
  readonly storage: Storage
  /** Public origin of the community. */
  readonly origin: string
  /** See `communityId`. */
  readonly community: string
  /** Exports only this space. */
  readonly spaceId?: number
}

/** This server's community as a source of records. It reads pages ordered by id, so memory use is independent of its size. */
export const communityAsSource = async ({ db, storage, origin, community, spaceId }: CommunityOptions): Promise<Source> => {
  const ids = await createArchiveIds(db, community)
  const ctx: ExportContext = { db, ids, storage, spaceId: spaceId ?? null, places: new WeakMap() }
  const neutralize = createNeutralizer(origin, ids)
  async function* read<K extends ArchiveKind>(kind: K): AsyncGenerator<Entry<K>> {
    // Media records contain no texts, and `places` is keyed by object identity.
    for await (const page of READERS[kind].pages(ctx)) yield* kind === 'media' ? page : await neutralize(page)
  }
  return {
    name: 'lyceum',
    origins: [origin, ARCHIVE_ORIGIN],
    basePath: '',
    counts: async () => {
      const counts: Partial<Record<ArchiveKind, number>> = {}
      for (const kind of ARCHIVE_KINDS) counts[kind] = await READERS[kind].count(ctx)
      return counts
    },
    read,
    openMedia: async (record: ArchiveRecord<'media'>) => {
      const place = ctx.places.get(record)
      return place ? storage.of(place.store).get(place.path) : null
    },
    leftOut: async () => ({}),
    close: async () => {},
  }
}
