import type { ArchiveKind, ArchiveRecord } from '@lyceum/contract/archive'
import { datetimeFromText, datetimeOf } from '../datetime.ts'
import type { Entry, Source } from '../source.ts'
import { UnreadableSource } from '../source.ts'
import type { Staging } from '../staging/staging.ts'
import type { Uploads } from '../staging/uploads/model.ts'
import { countBookmarks, readBookmarks } from './bookmarks.ts'
import { readCategories } from './categories.ts'
import { readComments, SOLUTIONS } from './comments.ts'
import type { Community } from './community.ts'
import { countFollows, readFollows } from './follows.ts'
import { readMedia } from './media.ts'
import { readMemberships } from './memberships.ts'
import { readPeople } from './people.ts'
import { readPosts } from './posts.ts'
import { prepare } from './prepare.ts'
import { countReactions, readReactions } from './reactions.ts'
import { countReports, readReports } from './reports.ts'
import { readSpaceGroups, readSpaces } from './spaces.ts'
import { countVotes, prepareSurveys, readSurveyVotes } from './survey.ts'
import { countedTables, DISCOURSE_TABLES, defineTables } from './tables.ts'
import { countTopics, prepareTags, readTopics } from './topics.ts'

type Readers = { [K in ArchiveKind]?: (community: Community) => Iterable<Entry<K>> }

const READERS = {
  people: readPeople,
  media: readMedia,
  space_groups: readSpaceGroups,
  spaces: readSpaces,
  memberships: readMemberships,
  topics: readTopics,
  posts: readPosts,
  survey_votes: readSurveyVotes,
  comments: readComments,
  reactions: readReactions,
  bookmarks: readBookmarks,
  follows: readFollows,
  reports: readReports,
} satisfies Readers

const countIn = ({ staging }: Community, sql: string): number => staging.get<{ n: number }>(sql)?.n ?? 0

const countRows = (rows: Iterable<unknown>): number => {
  let count = 0
  for (const _ of rows) count++
  return count
}

const COUNTS: Record<keyof typeof READERS, (community: Community) => number> = {
  people: (community) => countIn(community, 'select count(*) as n from account'),
  media: (community) => countRows(readMedia(community)),
  space_groups: (community) => countRows(readSpaceGroups(community)),
  spaces: (community) => countRows(readSpaces(community)),
  memberships: (community) => countRows(readMemberships(community)),
  topics: countTopics,
  posts: (community) => countIn(community, 'select count(*) as n from topic'),
  survey_votes: countVotes,
  comments: (community) => countIn(community, 'select count(*) as n from comment'),
  reactions: countReactions,
  bookmarks: countBookmarks,
  follows: countFollows,
  reports: countReports,
}

/** Queries that count data that is not imported, by name. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  'private messages': `select count(*) as n from posts p join private_topic t on t.id = p.topic_id`,
  'email-only users without imported posts': `select count(*) as n from users
    where id > 0 and staged = 't' and id not in (select id from account)`,
  'posts that await approval': 'select count(*) as n from reviewables where status = 0',
  'polls in replies, and additional polls in a post': `select count(*) as n from polls p join written w on w.id = p.post_id
    where p.id not in (select poll_id from survey)`,
}

/** Internal links. They are the only place in the database that contains the site's domain. */
const DOMAIN = `select domain, url from topic_links where internal = 't' and link_topic_id is not null and url like 'http%'
  group by domain order by count(*) desc limit 1`

const placeOf = (staging: Staging): { origins: string[]; base: string } => {
  const link = staging.get<{ domain: string; url: string }>(DOMAIN)
  if (!link) return { origins: [], base: '' }
  const [, base = ''] = /^https?:\/\/[^/]+((?:\/[\w-]+)*?)\/t\//.exec(link.url) ?? []
  return { origins: [`https://${link.domain}`, `http://${link.domain}`], base }
}

export interface Site {
  readonly origins: readonly string[]
  readonly base: string
}

/** Prepares the copied tables for the readers. @throws UnreadableSource if they are not a Discourse database */
export const prepareCommunity = (staging: Staging, now: number, site?: Site): Community => {
  const missing = defineTables(staging)
  if (missing) throw new UnreadableSource(`This is not the database of a Discourse community: it has no table ${missing}.`)
  prepare(staging)
  prepareTags(staging)
  prepareSurveys(staging)
  staging.exec(SOLUTIONS)
  const { origins, base } = site ?? placeOf(staging)
  const first = staging.get<{ first: string | null }>('select min(created_at) as first from topics')
  const today = datetimeOf(now) as string
  return { staging, origins, base, categories: readCategories(staging), earliest: datetimeFromText(first?.first) ?? today, now: today }
}

type OpenMedia = (media: ArchiveRecord<'media'>) => ReturnType<Source['openMedia']>

export const communitySource = (community: Community, openMedia: OpenMedia, close: () => Promise<void>): Source => ({
  name: 'discourse',
  origins: community.origins,
  basePath: community.base,
  counts: async () => Object.fromEntries(Object.entries(COUNTS).map(([kind, count]) => [kind, count(community)])),
  read: async function* <K extends ArchiveKind>(kind: K) {
    const read = (READERS as Readers)[kind] as ((of: Community) => Iterable<Entry<K>>) | undefined
    if (read) yield* read(community)
  },
  openMedia,
  leftOut: async () => {
    const { staging } = community
    const counted = Object.entries(LEFT_OUT).map(([name, sql]) => [name, countIn(community, sql)] as const)
    const broken = Object.keys(DISCOURSE_TABLES).map((table) => [`broken rows of ${table}`, countRows(staging.problems(table))] as const)
    return Object.fromEntries([...counted, ...countedTables(staging), ...broken].filter(([, count]) => count > 0))
  },
  close: async () => {
    await close()
    community.staging.close()
  },
})

export const mediaIn =
  (uploads: Uploads): OpenMedia =>
  async ({ file }) =>
    file === undefined ? null : uploads.open(file)
