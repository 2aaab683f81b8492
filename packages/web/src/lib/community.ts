import { queryOptions } from '@tanstack/react-query'
import { client } from './client.ts'

/** What everybody may know about this community: its name, its looks, what is switched on. */
export const communityQuery = queryOptions({
  queryKey: ['community'],
  queryFn: async () => (await client.settings.public()).data,
  staleTime: 300_000,
})
