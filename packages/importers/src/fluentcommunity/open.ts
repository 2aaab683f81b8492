import { isAddress } from '../http.ts'
import { type OpenSource, UnreadableSource } from '../source.ts'
import { stageMysqlDump } from '../staging/mysql/read-dump.ts'
import { stageMysqlServer } from '../staging/mysql/read-live.ts'
import { openStaging, type Staging } from '../staging/staging.ts'
import { noUploads, openUploads } from '../staging/uploads/uploads.ts'
import { defineTables, prefixesOf, wantedTables } from '../wordpress/index.ts'
import { openCommunity } from './community.ts'
import { REST_GAPS, stageSite } from './rest/stage-site.ts'
import { sourceOf } from './source.ts'
import { TABLES } from './tables.ts'

const isDatabase = (place: string): boolean => /^(?:mysql|mariadb):\/\//i.test(place)

/** The table prefix of the community. If there are several communities, the one with the most posts is used. */
const prefixOf = (staging: Staging, place: string): string => {
  const [prefix] = prefixesOf(staging, 'fcom_posts')
  if (prefix === undefined) throw new UnreadableSource(`${place} has no community: no table name ends with fcom_posts.`)
  return prefix
}

/** Opens a WordPress dump or database with FluentCommunity, or a site by its REST API. */
export const openFluentCommunity: OpenSource = async (place, options) => {
  const { uploads: uploadsPlace, temporary } = options
  const staging = openStaging(temporary)
  try {
    const wanted = wantedTables(TABLES)
    if (isAddress(place)) await stageSite(staging, place, options)
    else if (isDatabase(place)) await stageMysqlServer(staging, place.replace(/^mariadb:/i, 'mysql:'), wanted)
    else await stageMysqlDump(staging, place, wanted)
    staging.finish()
    const prefix = prefixOf(staging, place)
    defineTables(staging, prefix, TABLES)
    const isDump = !isAddress(place) && !isDatabase(place)
    const community = openCommunity(staging, prefix, { isDump })
    const from = uploadsPlace ?? (isAddress(place) ? community.site.core : undefined)
    const uploads = from === undefined ? noUploads : await openUploads(from, { directory: temporary })
    return sourceOf(community, uploads, isAddress(place) ? REST_GAPS : {})
  } catch (error) {
    staging.close()
    throw error
  }
}
