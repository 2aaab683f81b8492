import type { ArchiveKind } from '@lyceum/contract/archive'
import { datetimeOf } from '../datetime.ts'
import { jsonFields } from '../fields.ts'
import { type Entry, type OpenSource, type Source, UnreadableSource } from '../source.ts'
import { isFolder } from '../staging/open-file.ts'
import { stagePostgres } from '../staging/postgres/stage.ts'
import { openStaging, type Staging } from '../staging/staging.ts'
import type { Uploads } from '../staging/uploads/model.ts'
import { noUploads, openUploads } from '../staging/uploads/uploads.ts'
import { countBookmarks, readBookmarks } from './bookmarks.ts'
import { readCategories, spaceCategories } from './categories.ts'
import { readComments } from './comments.ts'
import { countFollows, readFollows } from './follows.ts'
import type { Forum } from './forum.ts'
import { readMedia } from './media.ts'
import { readMemberships } from './memberships.ts'
import { countHidden, readPeople } from './people.ts'
import { countQueued, readPosts } from './posts.ts'
import { prepare } from './prepare.ts'
import { countReactions, readReactions } from './reactions.ts'
import { countReports, readReports } from './reports.ts'
import { scanTexts } from './scan-texts.ts'
import { readSpaceGroups, readSpaces } from './spaces.ts'
import { NODEBB_TABLES, wantedTables } from './tables.ts'
import { collectTags, countTopics, readTopics } from './topics.ts'

type Readers = { [K in ArchiveKind]?: (forum: Forum) => Iterable<Entry<K>> }

const READERS: Readers = {
  people: readPeople,
  media: readMedia,
  space_groups: readSpaceGroups,
  spaces: readSpaces,
  memberships: readMemberships,
  topics: readTopics,
  posts: readPosts,
  comments: readComments,
  reactions: readReactions,
  bookmarks: readBookmarks,
  follows: readFollows,
  reports: readReports,
}

const countRows = (rows: Iterable<unknown>): number => {
  let count = 0
  for (const _ of rows) count++
  return count
}

const countIn = ({ staging }: Forum, sql: string): number => staging.get<{ n: number }>(sql)?.n ?? 0

const COUNTS: { [K in keyof typeof READERS]: (forum: Forum) => number } = {
  people: (forum) => countRows(readPeople(forum)),
  media: (forum) => countRows(readMedia(forum)),
  space_groups: (forum) => countRows(readSpaceGroups(forum)),
  spaces: (forum) => countRows(readSpaces(forum)),
  memberships: (forum) => countRows(readMemberships(forum)),
  topics: countTopics,
  posts: (forum) => countIn(forum, 'select count(*) as n from topic') + countQueued(forum, 'topic'),
  comments: (forum) => countIn(forum, 'select count(*) as n from comment') + countQueued(forum, 'reply'),
  reactions: countReactions,
  bookmarks: countBookmarks,
  follows: countFollows,
  reports: countReports,
}

/** Prepares the copied tables for the readers. @throws UnreadableSource if they are not a NodeBB database */
const prepareForum = (staging: Staging, now: number): Forum => {
  for (const { table, name, shape } of NODEBB_TABLES) {
    if (!staging.tables().includes(table))
      throw new UnreadableSource(`This is not the database of a NodeBB forum: it has no table ${table}.`)
    staging.define(name, table, shape)
  }
  const categories = readCategories(staging)
  prepare(staging, categories)
  const { origins, base } = scanTexts(staging)
  collectTags(staging)
  const config = staging.get<{ data: string }>(`select data from hash where _key = 'config'`)
  const markdown = staging.get(`select 1 from zset where _key = 'plugins:active' and value = 'nodebb-plugin-markdown'`)
  const first = staging.get<{ time: number | null }>('select min(time) as time from post where time > 0')
  const hasTopics = (cid: number) => staging.get('select 1 from topic where cid = ? and reason is null limit 1', cid) !== undefined
  return {
    staging,
    origins,
    base,
    format: markdown ? 'markdown' : 'html',
    config: jsonFields(config?.data ?? null) ?? {},
    categories,
    spaces: spaceCategories(categories, hasTopics),
    earliest: datetimeOf(first?.time ?? null) ?? (datetimeOf(now) as string),
    now,
  }
}

/** Opens a forum from a PostgreSQL dump, a folder with a dump, or the live database. */
export const openNodebb: OpenSource = async (place, { uploads: uploadsPlace, temporary, signal }) => {
  const staging = openStaging(temporary)
  try {
    const leftOut = new Map<string, number>()
    await stagePostgres(staging, place, wantedTables(leftOut), signal)
    staging.finish()
    const forum = prepareForum(staging, Date.now())
    const where = uploadsPlace ?? ((await isFolder(place)) ? place : null)
    const uploads = where
      ? await openUploads(where, { siteFolder: 'assets/uploads', ...(temporary && { directory: temporary }) })
      : noUploads
    return forumSource(forum, leftOut, uploads)
  } catch (error) {
    staging.close()
    throw error
  }
}

const forumSource = (forum: Forum, leftOut: ReadonlyMap<string, number>, uploads: Uploads): Source => ({
  name: 'nodebb',
  origins: forum.origins,
  basePath: forum.base,
  counts: async () => Object.fromEntries(Object.entries(COUNTS).map(([kind, count]) => [kind, count(forum)])),
  read: async function* <K extends ArchiveKind>(kind: K) {
    const read = READERS[kind] as ((of: Forum) => Iterable<Entry<K>>) | undefined
    if (read) yield* read(forum)
  },
  openMedia: async ({ file }) => (file === undefined ? null : uploads.open(file)),
  leftOut: async () => {
    const broken = NODEBB_TABLES.map(({ table }) => [`broken rows of ${table}`, countRows(forum.staging.problems(table))] as const)
    return Object.fromEntries([...leftOut, ...Object.entries(countHidden(forum)), ...broken].filter(([, count]) => count > 0))
  },
  close: async () => {
    await uploads.close()
    forum.staging.close()
  },
})
