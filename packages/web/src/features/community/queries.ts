import type { Answers } from '@lyceum/sdk'
import { queryOptions } from '@tanstack/react-query'
import { client } from '../../lib/client.ts'
import { keys } from '../../lib/query-keys.ts'

export type Welcome = NonNullable<Answers['settingsPages']['welcomeBanner']['welcome_banner']>

/** The members' welcome banner; null if there is none. */
export const welcomeQuery = queryOptions({
  queryKey: keys.community.welcome,
  queryFn: async ({ signal }) => (await client.settingsPages.welcomeBanner({}, { signal })).welcome_banner,
  staleTime: 300_000,
})
