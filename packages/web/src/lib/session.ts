import { queryOptions, useSuspenseQuery } from '@tanstack/react-query'
import { claimStorage } from './account-data.ts'
import { client, rememberNonce } from './client.ts'
import { renewPush } from './push.ts'
import { queryClient } from './query.ts'

/** Who is signed in, with role and permissions. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async () => {
    const session = await client.auth.session()
    rememberNonce(session.nonce)
    if (session.user) {
      await claimStorage(session.user.user_id)
      // Messages are no reason to keep somebody waiting, nor to refuse them the app.
      renewPush().catch(() => {})
    }
    return session
  },
  staleTime: Number.POSITIVE_INFINITY,
})

export type Me = NonNullable<Awaited<ReturnType<typeof client.auth.session>>['user']>

/** The member who is signed in; pages below the shell are never shown without one. */
export const useMe = (): Me => {
  const { user } = useSuspenseQuery(sessionQuery).data
  if (!user) throw new Error('nobody is signed in')
  return user
}

/** After signing in or out nothing that was fetched for somebody else may be shown. */
export const resetSession = async (): Promise<void> => {
  queryClient.clear()
  await queryClient.fetchQuery(sessionQuery)
}
