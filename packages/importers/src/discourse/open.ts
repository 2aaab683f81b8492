import { isAddress } from '../http.ts'
import type { OpenSource } from '../source.ts'
import { openStaging, type Staging } from '../staging/staging.ts'
import { createSiteApi, type SiteApi } from './api/site-api.ts'
import { stageSite } from './api/stage-site.ts'
import { stageDatabase } from './backup.ts'
import { communitySource, mediaIn, prepareCommunity } from './source.ts'
import { wantedTables } from './tables.ts'

export const openSite = async (staging: Staging, api: SiteApi) => {
  await stageSite(staging, api)
  staging.finish()
  const community = prepareCommunity(staging, Date.now(), { origins: [api.origin], base: api.base })
  return communitySource(
    community,
    async ({ urls }) => (urls?.[0] === undefined ? null : api.open(urls[0])),
    async () => {},
  )
}

/** Opens a community from a backup, dump, folder with a dump, database or site URL. */
export const openDiscourse: OpenSource = async (place, options) => {
  const staging = openStaging(options.temporary)
  try {
    if (isAddress(place)) return await openSite(staging, createSiteApi(place, options))
    const uploads = await stageDatabase(staging, place, wantedTables, options)
    staging.finish()
    return communitySource(prepareCommunity(staging, Date.now()), mediaIn(uploads), uploads.close)
  } catch (error) {
    staging.close()
    throw error
  }
}
