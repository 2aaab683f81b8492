import type { ArchiveKind, ArchiveRecord } from '@lyceum/contract/archive'
import { isAddress } from '../http.ts'
import { type Entry, type OpenSource, type Source, UnreadableSource } from '../source.ts'
import { stageMysqlDump } from '../staging/mysql/read-dump.ts'
import { stageMysqlServer } from '../staging/mysql/read-live.ts'
import { openStaging, type Staging } from '../staging/staging.ts'
import { noUploads, openUploads } from '../staging/uploads/uploads.ts'
import { broken } from '../unreadable.ts'
import { defineTables, prefixesOf, readSite, wantedTables } from '../wordpress/index.ts'
import { readBookmarks } from './bookmarks.ts'
import { readComments } from './comments.ts'
import type { Context } from './context.ts'
import { FOLLOW_COUNT, readFollows } from './follows.ts'
import { countLeftOut } from './left-out.ts'
import { countMedia, readMedia } from './media.ts'
import { ARE_REQUESTS, readMemberships } from './memberships.ts'
import { readPages } from './pages.ts'
import { readPeople } from './people.ts'
import { definePictures, findPictures } from './pictures.ts'
import { ARE_POSTS, readPosts } from './posts.ts'
import { prepare } from './prepare.ts'
import { countReactions, readReactions } from './reactions.ts'
import { ARE_REPORTS, readReports } from './reports.ts'
import { PARENTS, readSpaceGroups } from './space-groups.ts'
import { readSpaces } from './spaces.ts'
import { TABLES } from './tables.ts'
import { validTime } from './times.ts'
import { readTopics } from './topics.ts'

type Readers = { readonly [K in ArchiveKind]?: (context: Context) => Iterable<Entry<K>> }

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

/** The tables of each kind, to report rows that could not be copied. */
const TABLE_OF: Partial<Record<ArchiveKind, readonly string[]>> = {
  people: ['users'],
  spaces: ['bp_groups'],
  memberships: ['bp_groups_members', 'bp_invitations'],
  media: ['bp_media', 'bp_document'],
  posts: ['bp_activity'],
  reactions: ['bb_user_reactions'],
  follows: ['bp_friends', 'bp_follow'],
}

const COUNTS: Partial<Record<ArchiveKind, string>> = {
  people: 'select count(*) as n from users',
  space_groups: `select count(*) as n from (${PARENTS})`,
  spaces: 'select count(*) as n from bp_groups',
  memberships: `select (select count(*) from bp_groups_members) + (select count(*) from bp_invitations where ${ARE_REQUESTS}) as n`,
  topics: 'select count(*) as n from bb_topics',
  posts: `select count(*) as n from bp_activity a where ${ARE_POSTS}`,
  comments: 'select count(*) as n from comment',
  bookmarks: 'select count(*) as n from bb_bookmark where status = 1',
  follows: FOLLOW_COUNT,
  reports: `select count(*) as n from bp_moderation m join bp_suspend s on s.id = m.moderation_id where ${ARE_REPORTS}`,
}

/** Detects the table prefix, from the most specific table. */
const prefixOf = (staging: Staging): string => {
  for (const name of ['bp_activity', 'bp_groups', 'bp_xprofile_data', 'bp_xprofile_fields'])
    for (const prefix of prefixesOf(staging, name)) return prefix
  throw new UnreadableSource('It has no BuddyPress or BuddyBoss tables, such as wp_bp_activity.')
}

const isServer = (place: string) => /^(?:mysql|mariadb):\/\//i.test(place)

/** Opens a BuddyPress or BuddyBoss Platform community from a database dump or a `mysql://` URL. */
export const openBuddypress: OpenSource = async (place, { uploads: files, temporary }) => {
  if (isAddress(place)) throw new UnreadableSource('A BuddyPress site cannot be read by its URL: use a dump or the URL of its database.')
  const staging = openStaging(temporary)
  let uploads = noUploads
  try {
    if (isServer(place)) await stageMysqlServer(staging, place, wantedTables(TABLES))
    else await stageMysqlDump(staging, place, wantedTables(TABLES))
    uploads = files ? await openUploads(files, temporary ? { directory: temporary } : {}) : noUploads
    await findPictures(staging, uploads)
    staging.finish()
    const prefix = prefixOf(staging)
    defineTables(staging, prefix, TABLES)
    if (!staging.get('select 1 from users limit 1'))
      throw new UnreadableSource(`It has no accounts: the table ${prefix}users is missing or empty.`)
    definePictures(staging)
    prepare(staging)
    return sourceOf(createContext(staging, prefix), prefix, uploads)
  } catch (error) {
    await uploads.close()
    staging.close()
    throw error
  }
}

/** SQL pattern of plausible times. */
const TIME = `glob '[12][09][0-9][0-9]-[01][0-9]-[0-3][0-9] *'`
const FOUNDED = `select min(time) as time from (select min(user_registered) as time from users where user_registered ${TIME}
  union all select min(date_recorded) from bp_activity where date_recorded ${TIME}
  union all select min(date_created) from bp_groups where date_created ${TIME})`
/** First release of BuddyPress. */
const EARLIEST = '2008-04-29 00:00:00'

const createContext = (staging: Staging, prefix: string): Context => {
  const { origins, basePath, option, metaOption } = readSite(staging)
  const core = option('siteurl') ?? ''
  const custom = option('upload_url_path')?.trim() ?? ''
  const paths = [basePath, URL.canParse(core) ? new URL(core).pathname.replace(/\/+$/, '') : '']
  return {
    staging,
    prefix,
    site: {
      origins,
      basePath,
      pages: readPages(staging, metaOption('bp-pages').value),
      uploads: [...new Set(paths.map((path) => `${path}/wp-content/uploads/`)), ...(custom ? [`${custom.replace(/\/+$/, '')}/`] : [])],
      founded: validTime(staging.get<{ time: string | null }>(FOUNDED)?.time) ?? EARLIEST,
    },
    nameOf: (id) => staging.get<{ name: string | null }>('select user_nicename as name from users where ID = ?', id)?.name || undefined,
  }
}

async function* read<K extends ArchiveKind>(context: Context, prefix: string, kind: K): AsyncGenerator<Entry<K>> {
  const reader = READERS[kind] as ((context: Context) => Iterable<Entry<K>>) | undefined
  if (!reader) return
  for (const table of TABLE_OF[kind] ?? [])
    for (const { place, reason } of context.staging.problems(prefix + table)) yield broken(`${table}, ${place}`, reason)
  yield* reader(context)
}

const sourceOf = (context: Context, prefix: string, uploads: Awaited<ReturnType<typeof openUploads>>): Source => {
  const { staging, site } = context
  return {
    name: 'buddypress',
    origins: site.origins,
    basePath: site.basePath,
    counts: async () => {
      const counts = Object.entries(COUNTS).map(([kind, sql]) => [kind, staging.get<{ n: number }>(sql)?.n ?? 0])
      return { ...Object.fromEntries(counts), media: countMedia(context), reactions: countReactions(context) }
    },
    read: (kind) => read(context, prefix, kind),
    openMedia: async ({ file }: ArchiveRecord<'media'>) => (file === undefined ? null : uploads.open(file)),
    leftOut: async () => countLeftOut(context),
    close: async () => {
      await uploads.close()
      staging.close()
    },
  }
}
