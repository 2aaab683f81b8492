import type { ArchiveKind } from '@lyceum/contract/archive'
import type { Source } from '../source.ts'
import type { Uploads } from '../staging/uploads/model.ts'
import { comments } from './comments.ts'
import { type Community, type KindReader, noted, unreadable } from './community.ts'
import { courseSections } from './course-sections.ts'
import { courses } from './courses.ts'
import { enrolments } from './enrolments.ts'
import { follows } from './follows.ts'
import { leftOut } from './left-out.ts'
import { lessonCompletions } from './lesson-completions.ts'
import { lessons } from './lessons.ts'
import { media } from './media.ts'
import { listFiles } from './media-files.ts'
import { memberships } from './memberships.ts'
import { people } from './people.ts'
import { posts } from './posts.ts'
import { bookmarks, reactions } from './reactions.ts'
import { reports } from './reports.ts'
import { spaceGroups, spaces } from './spaces.ts'
import { surveyVotes } from './survey-votes.ts'
import { TABLES } from './tables.ts'
import { topics } from './topics.ts'

const READERS: { readonly [K in ArchiveKind]?: KindReader<K> } = {
  people,
  media,
  space_groups: spaceGroups,
  spaces,
  memberships,
  topics,
  posts,
  survey_votes: surveyVotes,
  courses,
  course_sections: courseSections,
  lessons,
  enrolments,
  lesson_completions: lessonCompletions,
  comments,
  reactions,
  bookmarks,
  follows,
  reports,
}

const ENTRIES = Object.entries(READERS) as [ArchiveKind, KindReader<ArchiveKind>][]

/** The tables whose broken rows are reported with a kind: the first kind that reads the table, or else people. */
const tablesOf = (kind: ArchiveKind): string[] =>
  Object.keys(TABLES).filter((table) => (ENTRIES.find(([, reader]) => reader.table === table)?.[0] ?? 'people') === kind)

/** Descriptions of data that a place does not contain, by kind. */
export type Gaps = Readonly<Partial<Record<ArchiveKind, string>>>

/** The source of a staged FluentCommunity site. */
export const sourceOf = (community: Community, uploads: Uploads, gaps: Gaps = {}): Source => {
  listFiles(community)
  const { staging, site, prefix } = community
  return {
    name: 'fluentcommunity',
    origins: site.origins,
    basePath: site.basePath,
    counts: async () => Object.fromEntries(ENTRIES.map(([kind, { count }]) => [kind, count(community)])),
    read: async function* (kind) {
      const reader = READERS[kind] as KindReader<typeof kind> | undefined
      if (!reader) return
      for (const table of tablesOf(kind))
        for (const { place, reason } of staging.problems(prefix + table)) yield unreadable(`${table}, ${place}`, reason)
      yield* reader.read(community)
      const gap = gaps[kind]
      if (gap !== undefined) yield noted('*', gap)
    },
    openMedia: async ({ file }) => {
      if (file === undefined) return null
      // Each site of a multisite network has its own uploads folder, which the operator may have chosen.
      const ownFolder = /^sites\/\d+\/(.+)$/.exec(file)?.[1]
      return (await uploads.open(file)) ?? (ownFolder === undefined ? null : uploads.open(ownFolder))
    },
    leftOut: async () => leftOut(community),
    close: async () => {
      staging.close()
      await uploads.close()
    },
  }
}
