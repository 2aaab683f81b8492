import { queryOptions } from '@tanstack/react-query'
import { client } from '../../lib/client.ts'
import { keys } from '../../lib/query-keys.ts'

export const applicationPasswordsQuery = queryOptions({
  queryKey: keys.account.applicationPasswords,
  queryFn: async ({ signal }) => (await client.account.applicationPasswords({}, { signal })).data,
})

const LOOK_AGAIN_MS = 4000

/** The user's data exports; polled while one is in progress. */
export const exportsQuery = queryOptions({
  queryKey: keys.account.exports,
  queryFn: async ({ signal }) => (await client.privacy.exports({}, { signal })).data,
  refetchInterval: ({ state }) => (state.data?.some(({ status }) => status === 'pending') ? LOOK_AGAIN_MS : false),
})
