import { isAddress } from '../http.ts'
import { type OpenSource, UnreadableSource } from '../source.ts'
import { stageMysqlDump } from '../staging/mysql/read-dump.ts'
import { stageMysqlServer } from '../staging/mysql/read-live.ts'
import { openStaging, type Staging } from '../staging/staging.ts'
import { noUploads, openUploads } from '../staging/uploads/uploads.ts'
import { defineTables, prefixesOf, wantedTables } from '../wordpress/index.ts'
import { openCommunity } from './community.ts'
import { sourceOf } from './source.ts'
import { TABLES } from './tables.ts'

const isDatabase = (place: string): boolean => /^(?:mysql|mariadb):\/\//i.test(place)

/** The prefix of the tables of the community: in a database with several, the one with the most posts. */
const prefixOf = (staging: Staging, place: string): string => {
  const [prefix] = prefixesOf(staging, 'fcom_posts')
  if (prefix === undefined) throw new UnreadableSource(`${place} has no community: there is no table whose name ends with fcom_posts.`)
  return prefix
}

const stage = async (staging: Staging, place: string): Promise<void> => {
  const wanted = wantedTables(TABLES)
  if (isDatabase(place)) await stageMysqlServer(staging, place.replace(/^mariadb:/i, 'mysql:'), wanted)
  else await stageMysqlDump(staging, place, wanted)
}

/** Opens a dump or a database of WordPress with FluentCommunity. */
export const openFluentCommunity: OpenSource = async (place, { uploads: uploadsPlace, temporary }) => {
  if (isAddress(place)) throw new UnreadableSource(`${place}: name a dump or a database.`)
  const staging = openStaging(temporary)
  try {
    await stage(staging, place)
    staging.finish()
    const prefix = prefixOf(staging, place)
    defineTables(staging, prefix, TABLES)
    const uploads = uploadsPlace === undefined ? noUploads : await openUploads(uploadsPlace, { directory: temporary })
    return sourceOf(openCommunity(staging, prefix, { isDump: !isDatabase(place) }), uploads)
  } catch (error) {
    staging.close()
    throw error
  }
}
