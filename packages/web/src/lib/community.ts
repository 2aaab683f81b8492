import { queryOptions } from '@tanstack/react-query'
import { client } from './client.ts'
import { keys } from './query-keys.ts'

/** Public information about the community: name, branding and enabled features. */
export const communityQuery = queryOptions({
  queryKey: keys.community.all,
  queryFn: async () => (await client.settings.public()).data,
  staleTime: 300_000,
})
